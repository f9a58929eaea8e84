import { readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database } from '../database.ts';
import { text } from '../row.ts';

export interface SweptFiles {
  readonly count: number;
  readonly bytes: number;
}

export interface BlobSweep {
  readonly database: Database;
  readonly folder: string;
  /** Only files whose last `put` was before this: what is being written now is not referred to yet. */
  readonly before: number;
  readonly dryRun: boolean;
  /** Sessions whose uses count no more: in a dry run they are still there. */
  readonly without: readonly string[];
}

/** Removals in one transaction: others wait for it. */
const batch = 100;

/** Removes blobs that no session refers to, and what a killed process left half-written. */
export function sweepBlobs(sweep: BlobSweep): SweptFiles {
  const used = usedBlobs(sweep.database, new Set(sweep.without));
  const doomed = blobFiles(sweep.folder).filter(({ name, path }) => !used.has(name) && isOld(path, sweep.before));
  let swept: SweptFiles = { count: 0, bytes: 0 };
  for (let at = 0; at < doomed.length; at += batch) {
    const files = doomed.slice(at, at + batch);
    const step = sweep.dryRun ? sum(files) : sweep.database.write(() => removeFiles(sweep, files));
    swept = { count: swept.count + step.count, bytes: swept.bytes + step.bytes };
  }
  return swept;
}

interface BlobFile {
  readonly name: string;
  readonly path: string;
}

/** Asked again where nobody else can put or refer: `put` freshens the file, and rows come in transactions. */
function removeFiles({ database, before }: BlobSweep, files: readonly BlobFile[]): SweptFiles {
  const free = files.filter(
    ({ name, path }) =>
      database.get('SELECT 1 FROM blob_uses WHERE sha256 = ?', name) === undefined && isOld(path, before),
  );
  const swept = sum(free);
  for (const { path } of free) rmSync(path, { force: true });
  for (const shelf of new Set(free.map(({ path }) => dirname(path)))) if (namesIn(shelf).length === 0) rmdirSync(shelf);
  return swept;
}

function sum(files: readonly BlobFile[]): SweptFiles {
  return { count: files.length, bytes: files.reduce((bytes, { path }) => bytes + sizeOf(path), 0) };
}

function usedBlobs(database: Database, without: ReadonlySet<string>): ReadonlySet<string> {
  const rows = database.all('SELECT session_id, sha256 FROM blob_uses');
  return new Set(rows.filter((row) => !without.has(text(row, 'session_id'))).map((row) => text(row, 'sha256')));
}

function blobFiles(folder: string): BlobFile[] {
  const folders = namesIn(folder).filter((name) => /^[0-9a-f]{2}$/.test(name));
  return folders.flatMap((shelf) =>
    namesIn(join(folder, shelf))
      .filter((name) => /^(?:[0-9a-f]{64}|\.[0-9a-f]{16}\.tmp)$/.test(name))
      .map((name) => ({ name, path: join(folder, shelf, name) })),
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // No blob was written yet.
  }
}

function isOld(path: string, before: number): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? before) < before;
}

function sizeOf(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * 512;
}
