import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { CapstanError } from '@capstan/contracts';
import { Database } from './database.ts';
import { hasCode } from './durable-file.ts';
import { type MigrationOptions, migrateDatabase } from './migrations/migrate-database.ts';
import { applicationId, schema, schemaVersion } from './migrations/schema.ts';
import { isBusy, storageError } from './storage-error.ts';

const pauseMilliseconds = 20;

/** Longer than a migration of the largest database takes: those who wait for it must not give up before. */
const migrationMilliseconds = 10 * 60_000;

export interface DatabaseOptions extends Omit<MigrationOptions, 'steps'> {
  /** How long a statement waits for other processes. */
  readonly busyMilliseconds: number;
  /** Called once in the life of a data folder, in the transaction that creates the tables. */
  readonly onCreate: (database: Database) => void;
  /** Throws when the data folder had a database: a new one would hide that it is lost. */
  readonly refuseLost: () => void;
}

export interface OpenedDatabase {
  readonly database: Database;
  /** It had an earlier version when it was opened. */
  readonly migrated: boolean;
}

/**
 * Opens, creates or migrates the database. Throws `storage-failed` with a hint when the file is damaged, is not ours, or
 * was written by a later version; the file is not changed then.
 */
export function openDatabase(options: DatabaseOptions): OpenedDatabase {
  const { file, busyMilliseconds } = options;
  let connection: DatabaseSync | undefined;
  try {
    createPrivate(file);
    connection = new DatabaseSync(file, { timeout: pauseMilliseconds, enableForeignKeyConstraints: true });
    const opened = connection;
    const version = retryWhileBusy(busyMilliseconds, () => readVersion(opened, options));
    const database = new Database(connection, file);
    if (version === 0) retryWhileBusy(busyMilliseconds, () => create(database, opened, options));
    else if (version < schemaVersion) {
      retryWhileBusy(Math.max(busyMilliseconds, migrationMilliseconds), () => migrateDatabase(database, options));
    }
    connection.exec(`PRAGMA busy_timeout = ${busyMilliseconds}`);
    return { database, migrated: version !== 0 && version < schemaVersion };
  } catch (error) {
    if (connection?.isOpen === true) connection.close();
    throw storageError(error, file);
  }
}

/** SQLite gives its side files the mode of the database, so it is set before SQLite opens the file. */
function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    chmodSync(file, 0o600);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

/** The version of the file, which is refused or ready to be written afterwards. */
function readVersion(connection: DatabaseSync, { file, refuseLost }: DatabaseOptions): number {
  // Before anything that writes: a file that we refuse must stay as it is, its journal mode included.
  const version = checkOwner(connection, file);
  if (version === 0) refuseLost();
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864');
  return version;
}

function create(database: Database, connection: DatabaseSync, { file, onCreate }: DatabaseOptions): void {
  database.write(() => {
    if (checkOwner(connection, file) === schemaVersion) return;
    database.execute(schema);
    database.execute(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`);
    onCreate(database);
  });
}

/** The schema version: 0 for a new, empty file. */
function checkOwner(connection: DatabaseSync, file: string): number {
  const version = pragma(connection, 'user_version');
  const owner = pragma(connection, 'application_id');
  const tables = Number(connection.prepare('SELECT count(*) AS count FROM sqlite_schema').get()?.count);
  if (version === 0 && owner === 0 && tables === 0) return 0;
  if (owner !== applicationId || version < 1) {
    throw new CapstanError('storage-failed', `The file is a database of another program: ${file}`, {
      hint: 'Nothing was changed. Choose another data folder (CAPSTAN_HOME) or move the file away',
    });
  }
  if (version > schemaVersion) {
    throw new CapstanError(
      'storage-failed',
      `The database has version ${version}, this Capstan knows ${schemaVersion}: ${file}`,
      {
        hint: 'Nothing was changed. Use the later Capstan that wrote it, or another data folder (CAPSTAN_HOME)',
      },
    );
  }
  return version;
}

function pragma(connection: DatabaseSync, name: string): number {
  return Number(connection.prepare(`PRAGMA ${name}`).get()?.[name]);
}

/**
 * Switching to WAL does not wait by itself when several processes open a new file at once, so the wait is here: about so
 * many milliseconds, half of them in SQLite.
 */
function retryWhileBusy<Result>(milliseconds: number, work: () => Result): Result {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (let left = milliseconds; ; left -= 2 * pauseMilliseconds) {
    try {
      return work();
    } catch (error) {
      const busy = isBusy(error) || (error instanceof CapstanError && isBusy(error.cause));
      if (!busy || left <= 0) throw error;
      Atomics.wait(sleeper, 0, 0, pauseMilliseconds);
    }
  }
}
