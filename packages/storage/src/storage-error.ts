import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { CapstanError, type ErrorLevel, type SystemFault, systemFault } from '@capstan/contracts';
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
const readOnly: Kind = {
  message: (place) => `The disk or the folder is read-only: ${place}`,
  hint: 'Make the data folder writable, or set CAPSTAN_HOME to another one',
};
const disk: Kind = {
  message: (place) => `Reading or writing failed: ${place}`,
  hint: 'Check the disk that holds the data folder',
};
const unopened: Kind = {
  message: (place) => `The database cannot be opened: ${place}`,
  hint: 'Check the owner and the permissions of the data folder, and that the disk is not read-only',
};

const sqliteFull = 13;

/** SQLite's primary result codes that a person can do something about. */
const sqliteKinds: Readonly<Record<number, Kind>> = {
  5: otherProcess,
  6: otherProcess,
  8: readOnly,
  10: disk,
  11: damaged,
  14: unopened,
  26: { ...damaged, message: (place) => `The file is not a database: ${place}` },
};

/** Turns what node:sqlite or the file system threw into `storage-failed`; errors of our own pass through. */
export function storageError(cause: unknown, place: string): CapstanError {
  if (cause instanceof CapstanError) return cause;
  const code = sqliteCode(cause);
  const fault = systemFault(code === sqliteFull ? Object.assign(new Error(), { code: 'ENOSPC' }) : cause);
  if (fault !== undefined) return faultError(fault, place, cause);
  const kind = sqliteKinds[code ?? -1];
  if (kind !== undefined) {
    const { level = 'fatal', hint } = kind;
    return new CapstanError('storage-failed', kind.message(place), { level, hint, cause });
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return new CapstanError('storage-failed', `Storage failed: ${message}: ${place}`, { cause });
}

function faultError({ code, message, level, hint }: SystemFault, place: string, cause: unknown): CapstanError {
  const free = ['ENOSPC', 'EDQUOT'].includes(code) ? freeText(place) : '';
  return new CapstanError('storage-failed', `${message}${free}: ${place}`, { level, hint, cause });
}

/**
 * A failure of the disk, a folder or a limit of the process that was thrown elsewhere (or caused what was thrown), with
 * what to do; anything else is returned as it came.
 */
export function diskFault(thrown: unknown, place: string): unknown {
  const cause = thrown instanceof CapstanError ? thrown.cause : thrown;
  const fault = systemFault(cause);
  return fault === undefined ? thrown : faultError(fault, fault.path ?? place, cause);
}

export function isBusy(cause: unknown): boolean {
  const code = sqliteCode(cause);
  return code === 5 || code === 6;
}

function sqliteCode(cause: unknown): number | undefined {
  if (!(cause instanceof Error) || !('errcode' in cause) || typeof cause.errcode !== 'number') return undefined;
  return cause.errcode & 0xff;
}

function freeText(place: string): string {
  const free = freeSpace(nearestFolder(place));
  return free === undefined ? '' : ` (${sizeText(free)} free)`;
}

function nearestFolder(place: string): string {
  return existsSync(place) || dirname(place) === place ? place : nearestFolder(dirname(place));
}
