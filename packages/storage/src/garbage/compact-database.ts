import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { CapstanError } from '@capstan/contracts';
import type { Database } from '../database.ts';
import { freeSpace } from '../free-space.ts';

/** Below this, giving pages back to the disk is not worth writing the file anew. Bytes. */
const worthwhile = 1024 * 1024;

/**
 * Empties the write-ahead log, and writes the database anew when at least a quarter of it is unused. What stays unused is
 * filled by later sessions. Not while others work (`idle`): they would wait for all of it.
 */
export function compactDatabase(database: Database, file: string, idle: boolean): void {
  const pages = (name: string) => Number(database.get(`PRAGMA ${name}`)?.[name] ?? 0);
  const [unused, all, size] = [pages('freelist_count'), pages('page_count'), pages('page_size')];
  const room = freeSpace(dirname(file)) ?? 0;
  const pays = unused * size >= worthwhile && unused * 4 >= all && room > 2 * (all - unused) * size;
  try {
    if (idle && pays) database.execute('VACUUM');
    database.execute('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    // Somebody else works with the database, or the disk is full: it stays as large as it is.
    if (!(error instanceof CapstanError && error.level === 'retryable')) throw error;
  }
}

/** What the database takes on the disk, its write-ahead log included. Bytes. */
export function databaseSize(file: string): number {
  return [file, `${file}-wal`].reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}
