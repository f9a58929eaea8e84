import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CapstanError } from '@capstan/contracts';
import { syncFolder } from '../durable-file.ts';
import { freeSpace, sizeText } from '../free-space.ts';
import { storageError } from '../storage-error.ts';
import { schemaVersion } from './schema.ts';

/** Where the database goes before it is migrated from this version. */
export function backupFile(file: string, version: number): string {
  return `${file}.v${version}.backup`;
}

/**
 * Copies the whole database, that of its write-ahead log included, while the caller keeps others from writing. The copy
 * has its name only when it is complete. Throws `storage-failed` when there is no room; nothing is left then.
 */
export function backUpDatabase(file: string, version: number): { readonly file: string; readonly bytes: number } {
  const backup = backupFile(file, version);
  const temporary = `${backup}.tmp`;
  refuseWithoutRoom(file);
  try {
    rmSync(temporary, { force: true });
    // SQLite takes a file that is there and empty, and so it is private from its first byte on.
    closeSync(openSync(temporary, 'wx', 0o600));
    chmodSync(temporary, 0o600);
    copyInto(file, temporary);
    renameSync(temporary, backup);
    syncFolder(dirname(file));
    return { file: backup, bytes: statSync(backup).size };
  } catch (error) {
    rmSync(temporary, { force: true });
    throw storageError(error, file);
  }
}

/** Backups of earlier versions, complete or cut off. */
export function findBackups(file: string): string[] {
  const versions = Array.from({ length: schemaVersion - 1 }, (_, index) => index + 1);
  return versions.flatMap((version) => {
    const backup = backupFile(file, version);
    return [backup, `${backup}.tmp`].filter((path) => existsSync(path));
  });
}

/** After a start that needed none of them. */
export function removeBackups(file: string): void {
  for (const backup of findBackups(file)) rmSync(backup, { force: true });
}

function copyInto(file: string, copy: string): void {
  const reader = new DatabaseSync(file, { readOnly: true });
  try {
    reader.prepare('VACUUM INTO ?').run(copy);
  } finally {
    reader.close();
  }
}

/** The copy, and the log of a transaction that may touch every page. */
function refuseWithoutRoom(file: string): void {
  const folder = dirname(file);
  const free = freeSpace(folder);
  const needed = 2 * statSync(file).size;
  if (free === undefined || free >= needed) return;
  throw new CapstanError(
    'storage-failed',
    `The database has to be migrated, and for that ${folder} has too little room: ${sizeText(free)} are free, ${sizeText(needed)} needed`,
    { hint: 'Nothing was changed. Free some space on that disk and try again' },
  );
}
