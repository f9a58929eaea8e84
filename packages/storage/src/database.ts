import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Row } from './row.ts';
import { storageError } from './storage-error.ts';

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

  /** Statements without values or results: definitions, pragmas. */
  execute(sql: string): void {
    this.#guard(() => this.#connection.exec(sql));
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
