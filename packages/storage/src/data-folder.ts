import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CapstanError } from '@capstan/contracts';
import { hasCode } from './durable-file.ts';
import { storageError } from './storage-error.ts';

export interface DataFolder {
  /** Throws when a database with nothing in it lies beside workspaces: it was cut off, and a new one would hide that. */
  readonly refuseLost: () => void;
}

/**
 * Makes the data folder with mode 0700, or looks whether it is ours. Throws `storage-failed`. What somebody else owns is
 * refused: its rows would decide what is run here, and what we wrote would be closed to its owner.
 */
export function prepareDataFolder(home: string, notice: (sentence: string) => void): DataFolder {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw refusedFolder(error, home);
  }
  refuseForeign(home);
  const file = join(home, 'capstan.db');
  const lost = hasWorkspaces(home);
  if (lost && !existsSync(file)) {
    notice(
      `There is no database in ${home}, though there are workspaces: a new one is made. Without the old one their ` +
        'sessions cannot go on; `capstan gc` removes the workspaces when they are old',
    );
    return { refuseLost: () => {} };
  }
  return { refuseLost: () => refuseEmpty(lost, file) };
}

function refuseForeign(home: string): void {
  const self = process.geteuid?.();
  const owner = statOrFail(home).uid;
  if (self === undefined || owner === self) return;
  throw new CapstanError(
    'storage-failed',
    `The data folder belongs to user ${owner}, and this is user ${self}: ${home}`,
    {
      hint: 'Run as that user, or set CAPSTAN_HOME to a folder of your own',
    },
  );
}

function statOrFail(home: string) {
  try {
    return statSync(home);
  } catch (error) {
    throw storageError(error, home);
  }
}

function hasWorkspaces(home: string): boolean {
  try {
    return readdirSync(join(home, 'worktrees')).length > 0;
  } catch {
    return false; // There was no session yet.
  }
}

function refuseEmpty(hasSessions: boolean, file: string): void {
  if (!hasSessions) return;
  throw new CapstanError('storage-failed', `The database is empty, though there are workspaces beside it: ${file}`, {
    hint: 'Nothing was changed. Bring back capstan.db with its -wal from a copy; or remove the empty file to start anew, without the old sessions',
  });
}

function refusedFolder(cause: unknown, home: string): CapstanError {
  if (!hasCode(cause, 'EEXIST') && !hasCode(cause, 'ENOTDIR')) return storageError(cause, dirname(home));
  return new CapstanError('storage-failed', `The data folder is not a folder: ${home}`, {
    hint: 'Set CAPSTAN_HOME to another folder',
    cause,
  });
}
