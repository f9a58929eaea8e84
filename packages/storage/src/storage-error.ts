import { CapstanError } from '@capstan/contracts';

interface Kind {
  readonly message: string;
  readonly hint: string;
  readonly retryable?: boolean;
}

const otherProcess: Kind = {
  message: 'The database was locked by another process for too long',
  hint: 'Try again; if it stays, look for a process that hangs on this data folder',
  retryable: true,
};
const damaged: Kind = {
  message: 'The database is damaged',
  hint: 'Nothing was changed. Move capstan.db away or bring back a copy of the data folder',
};

/** SQLite's primary result codes that a person can do something about. */
const kinds: Readonly<Record<number, Kind>> = {
  5: otherProcess,
  6: otherProcess,
  8: { message: 'The database cannot be written', hint: 'Check the owner and the permissions of the data folder' },
  10: { message: 'Reading or writing the database failed', hint: 'Check the disk that holds the data folder' },
  11: damaged,
  13: { message: 'The disk is full', hint: 'Free some space on the disk that holds the data folder', retryable: true },
  14: { message: 'The database cannot be opened', hint: 'Check the owner and the permissions of the data folder' },
  26: { ...damaged, message: 'The file is not a database' },
};

/** Turns what node:sqlite or the file system threw into `storage-failed`; errors of our own pass through. */
export function storageError(cause: unknown, place: string): CapstanError {
  if (cause instanceof CapstanError) return cause;
  const kind = kinds[primaryCode(cause) ?? -1];
  if (kind !== undefined) {
    const level = kind.retryable === true ? 'retryable' : 'fatal';
    return new CapstanError('storage-failed', `${kind.message}: ${place}`, { level, hint: kind.hint, cause });
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return new CapstanError('storage-failed', `Storage failed: ${message}: ${place}`, { cause });
}

export function isBusy(cause: unknown): boolean {
  const code = primaryCode(cause);
  return code === 5 || code === 6;
}

function primaryCode(cause: unknown): number | undefined {
  if (!(cause instanceof Error) || !('errcode' in cause) || typeof cause.errcode !== 'number') return undefined;
  return cause.errcode & 0xff;
}
