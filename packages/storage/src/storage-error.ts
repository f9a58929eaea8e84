import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { CapstanError, type ErrorLevel } from '@capstan/contracts';
import { freeSpace, sizeText } from './free-space.ts';

interface Kind {
  readonly message: (place: string) => string;
  readonly hint: string;
  readonly level?: ErrorLevel;
}

const otherProcess: Kind = {
  message: (place) => `The database was locked by another process for too long: ${place}`,
  hint: 'Try again; if it stays, look for a process that hangs on this data folder',
  level: 'retryable',
};
const damaged: Kind = {
  message: (place) => `The database is damaged: ${place}`,
  hint: 'Nothing was changed. Bring back a copy of the data folder; or move capstan.db, capstan.db-wal and capstan.db-shm away to start anew, without the old sessions',
};
const full: Kind = {
  message: (place) => `The disk is full${freeText(place)}: ${place}`,
  hint: 'Nothing that was done is lost. Free some space there, or try `capstan gc`; then go on with `capstan resume SESSION`',
  level: 'retryable',
};
const refused: Kind = {
  message: (place) => `This user may not write: ${place}`,
  hint: 'Check the owner and the permissions of the data folder, or set CAPSTAN_HOME to another one',
};
const readOnly: Kind = {
  message: (place) => `The disk or the folder is read-only: ${place}`,
  hint: 'Make the data folder writable, or set CAPSTAN_HOME to another one',
};
const tooMany: Kind = {
  message: (place) => `This process may not open more files: ${place}`,
  hint: 'Nothing that was done is lost. Raise the limit (`ulimit -n 1024`), then go on with `capstan resume SESSION`',
  level: 'retryable',
};
const disk: Kind = {
  message: (place) => `Reading or writing failed: ${place}`,
  hint: 'Check the disk that holds the data folder',
};
const unopened: Kind = {
  message: (place) => `The database cannot be opened: ${place}`,
  hint: 'Check the owner and the permissions of the data folder, and that the disk is not read-only',
};

/** SQLite's primary result codes that a person can do something about. */
const sqliteKinds: Readonly<Record<number, Kind>> = {
  5: otherProcess,
  6: otherProcess,
  8: readOnly,
  10: disk,
  11: damaged,
  13: full,
  14: unopened,
  26: { ...damaged, message: (place) => `The file is not a database: ${place}` },
};

const systemKinds: Readonly<Record<string, Kind>> = {
  ENOSPC: full,
  EDQUOT: full,
  EFBIG: full,
  EACCES: refused,
  EPERM: refused,
  EROFS: readOnly,
  EMFILE: tooMany,
  ENFILE: tooMany,
  EIO: disk,
};

/** Turns what node:sqlite or the file system threw into `storage-failed`; errors of our own pass through. */
export function storageError(cause: unknown, place: string): CapstanError {
  if (cause instanceof CapstanError) return cause;
  const kind = sqliteKinds[sqliteCode(cause) ?? -1] ?? systemKinds[systemCode(cause) ?? ''];
  if (kind !== undefined) {
    const { level = 'fatal', hint } = kind;
    return new CapstanError('storage-failed', kind.message(place), { level, hint, cause });
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return new CapstanError('storage-failed', `Storage failed: ${message}: ${place}`, { cause });
}

export function isBusy(cause: unknown): boolean {
  const code = sqliteCode(cause);
  return code === 5 || code === 6;
}

function sqliteCode(cause: unknown): number | undefined {
  if (!(cause instanceof Error) || !('errcode' in cause) || typeof cause.errcode !== 'number') return undefined;
  return cause.errcode & 0xff;
}

function systemCode(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

function freeText(place: string): string {
  const free = freeSpace(nearestFolder(place));
  return free === undefined ? '' : ` (${sizeText(free)} free)`;
}

function nearestFolder(place: string): string {
  return existsSync(place) || dirname(place) === place ? place : nearestFolder(dirname(place));
}
