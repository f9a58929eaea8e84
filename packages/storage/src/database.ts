import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { CapstanError } from '@capstan/contracts';
import { hasCode } from './durable-file.ts';
import type { Row } from './row.ts';
import { applicationId, schema, schemaVersion } from './schema.ts';
import { isBusy, storageError } from './storage-error.ts';

const pauseMilliseconds = 20;

/**
 * One connection. Statements are prepared once; every failure is a `CapstanError`. Everything is synchronous: no other
 * code of this process runs inside a transaction.
 */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #file: string;
  readonly #statements = new Map<string, StatementSync>();

  constructor(connection: DatabaseSync, file: string) {
    this.#connection = connection;
    this.#file = file;
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#guard(() => this.#prepare(sql).get(...values));
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#guard(() => this.#prepare(sql).all(...values));
  }

  /** How many rows were changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return this.#guard(() => Number(this.#prepare(sql).run(...values).changes));
  }

  /** Calls `visit` for each row without holding them all; stops early when it returns false. */
  each(sql: string, visit: (row: Row) => boolean): void {
    this.#guard(() => {
      for (const row of this.#prepare(sql).iterate()) if (!visit(row)) return;
    });
  }

  /** All or nothing, and alone among all processes. */
  write<Result>(work: () => Result): Result {
    return this.#transaction('BEGIN IMMEDIATE', work);
  }

  /** Like `write`, and on the disk when it returns, with all that was committed before: it survives a power cut. */
  writeThrough<Result>(work: () => Result): Result {
    this.#guard(() => this.#connection.exec('PRAGMA synchronous = FULL'));
    try {
      return this.write(work);
    } finally {
      this.#guard(() => this.#connection.exec('PRAGMA synchronous = NORMAL'));
    }
  }

  /** One unchanging view of the database for several reads. */
  read<Result>(work: () => Result): Result {
    return this.#transaction('BEGIN', work);
  }

  close(): void {
    this.#statements.clear();
    if (this.#connection.isOpen) this.#guard(() => this.#connection.close());
  }

  #transaction<Result>(begin: string, work: () => Result): Result {
    this.#guard(() => this.#connection.exec(begin));
    try {
      const result = work();
      this.#guard(() => this.#connection.exec('COMMIT'));
      return result;
    } catch (error) {
      // Some failures (a full disk) have rolled back already.
      if (this.#connection.isOpen && this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
      throw error;
    }
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #guard<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw storageError(error, this.#file);
    }
  }
}

export interface DatabaseOptions {
  readonly file: string;
  /** How long a statement waits for other processes. */
  readonly busyMilliseconds: number;
  /** Called once in the life of a data folder, in the transaction that creates the tables. */
  readonly onCreate: (database: Database) => void;
}

/**
 * Opens or creates the database. Throws `storage-failed` with a hint when the file is damaged, is not ours, or was
 * written by a later version; the file is not changed then.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const { file } = options;
  let connection: DatabaseSync | undefined;
  try {
    createPrivate(file);
    connection = new DatabaseSync(file, { timeout: pauseMilliseconds, enableForeignKeyConstraints: true });
    const opened = connection;
    retryWhileBusy(options.busyMilliseconds, () => prepareFile(opened, file, options.onCreate));
    connection.exec(`PRAGMA busy_timeout = ${options.busyMilliseconds}`);
    return new Database(connection, file);
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

function prepareFile(connection: DatabaseSync, file: string, onCreate: (database: Database) => void): void {
  // Before anything that writes: a file that we refuse must stay as it is, its journal mode included.
  const version = checkOwner(connection, file);
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864');
  if (version === schemaVersion) return;
  const database = new Database(connection, file);
  database.write(() => {
    if (checkOwner(connection, file) === schemaVersion) return;
    connection.exec(schema);
    connection.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`);
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
function retryWhileBusy(milliseconds: number, work: () => void): void {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (let left = milliseconds; ; left -= 2 * pauseMilliseconds) {
    try {
      work();
      return;
    } catch (error) {
      const busy = isBusy(error) || (error instanceof CapstanError && isBusy(error.cause));
      if (!busy || left <= 0) throw error;
      Atomics.wait(sleeper, 0, 0, pauseMilliseconds);
    }
  }
}
