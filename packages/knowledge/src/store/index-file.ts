import { existsSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { applicationId, schema, schemaVersion } from './schema.ts';

/** How long a statement waits for another process on the same index. Milliseconds. */
const busyMs = 5_000;
const pauseMs = 20;

export interface OpenedFile {
  readonly connection: DatabaseSync;
  /** What was found in its place and put aside, in a sentence; undefined when nothing was. */
  readonly note?: string;
}

/**
 * Opens the index file, or makes it. A file that is damaged or is no index of ours is renamed, never deleted, and a new
 * one takes its place. An index of another version is emptied: it is a cache.
 */
export function openIndexFile(file: string): OpenedFile {
  const found = existsSync(file) ? lstatSync(file).ino : undefined;
  try {
    return { connection: connect(file) };
  } catch (error) {
    if (!isDamage(error) || found === undefined) throw error;
    const aside = setAside(file, found);
    const note = `The index file was ${error instanceof ForeignFile ? 'of another program' : 'damaged'}; it was set aside as ${aside} and the index is made anew.`;
    return { connection: connect(file), note };
  }
}

/** True for what says that the file is no usable index, and not that something is in the way for now. */
export function isDamage(error: unknown): boolean {
  if (error instanceof ForeignFile) return true;
  const code = sqliteCode(error);
  return code === 11 || code === 26;
}

/** Renames an index file with what belongs to it. Does nothing when another process has replaced it meanwhile. */
export function setAside(file: string, inode: number): string {
  const aside = firstFree(file);
  if (!existsSync(file) || lstatSync(file).ino !== inode) return aside.slice(aside.lastIndexOf('/') + 1);
  renameSync(file, aside);
  for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  return aside.slice(aside.lastIndexOf('/') + 1);
}

class ForeignFile extends Error {}

function firstFree(file: string): string {
  for (let number = 1; ; number += 1) {
    const aside = `${file}.set-aside-${number}`;
    if (!existsSync(aside)) return aside;
  }
}

function connect(file: string): DatabaseSync {
  const connection = new DatabaseSync(file, { timeout: pauseMs, enableForeignKeyConstraints: true });
  try {
    retryWhileBusy(() => prepare(connection));
    connection.exec(`PRAGMA busy_timeout = ${busyMs}`);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function prepare(connection: DatabaseSync): void {
  // Before anything that writes: a file of somebody else must stay as it is.
  const version = versionOf(connection);
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8000');
  connection.exec('PRAGMA journal_size_limit = 16777216');
  if (version !== schemaVersion) create(connection);
}

function create(connection: DatabaseSync): void {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const version = versionOf(connection);
    if (version !== schemaVersion) {
      if (version !== 0) dropTables(connection);
      connection.exec(schema);
      connection.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`);
    }
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

function dropTables(connection: DatabaseSync): void {
  for (const name of ['vocabulary', 'words', 'passage', 'vector', 'file', 'note']) {
    connection.exec(`DROP TABLE IF EXISTS ${name}`);
  }
}

/** 0 for a new file. Throws `ForeignFile` for a database of another program. */
function versionOf(connection: DatabaseSync): number {
  const number = (sql: string, column: string) => Number(connection.prepare(sql).get()?.[column]);
  const owner = number('PRAGMA application_id', 'application_id');
  if (owner === applicationId) return number('PRAGMA user_version', 'user_version');
  if (owner === 0 && number('SELECT count(*) AS count FROM sqlite_schema', 'count') === 0) return 0;
  throw new ForeignFile();
}

/** Switching a new file to WAL does not wait by itself when several processes do it at once. */
function retryWhileBusy(work: () => void): void {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (let left = busyMs; ; left -= 2 * pauseMs) {
    try {
      work();
      return;
    } catch (error) {
      const code = sqliteCode(error);
      if ((code !== 5 && code !== 6) || left <= 0) throw error;
      Atomics.wait(sleeper, 0, 0, pauseMs);
    }
  }
}

function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  return error.errcode & 0xff;
}
