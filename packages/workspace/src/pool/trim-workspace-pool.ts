import { lstat, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { checkoutFile, trashSuffix } from './workspace-pool.ts';

export interface TrimOptions {
  /** Folder of the pools, one per checkout. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** A pool that no session was opened from for so long goes. */
  readonly unusedMilliseconds: number;
  /** The pools that were used last stay, up to this size in all. */
  readonly bytes: number;
  /** Only says what would go. */
  readonly dryRun?: boolean;
}

export interface Trimmed {
  readonly removed: number;
  readonly kept: number;
  /** What the pools that went took, links included: sessions that still have the same objects keep those. */
  readonly bytes: number;
}

interface Pool {
  readonly path: string;
  readonly used: number;
  readonly bytes: number;
  readonly unwanted: boolean;
}

/**
 * Takes pools away that are unused, whose checkout is gone, or that are too large together. Safe while sessions run: they
 * have the objects that they need, and one that is just being opened goes on without the pool.
 */
export async function trimWorkspacePool(options: TrimOptions): Promise<Trimmed> {
  const names = await readdir(options.folder).catch(() => []);
  const pools = await Promise.all(names.map((name) => look(join(options.folder, name), options)));
  let [room, removed, bytes] = [options.bytes, 0, 0];
  for (const pool of pools.toSorted((one, other) => other.used - one.used)) {
    if (!pool.unwanted && pool.bytes <= room) {
      room -= pool.bytes;
      continue;
    }
    if (!options.dryRun) await remove(pool.path);
    removed += 1;
    bytes += pool.bytes;
  }
  return { removed, kept: pools.length - removed, bytes };
}

async function look(path: string, { now, unusedMilliseconds }: TrimOptions): Promise<Pool> {
  const marker = join(path, checkoutFile);
  const used = (await stat(marker).catch(() => undefined))?.mtimeMs ?? 0;
  const checkout = await readFile(marker, 'utf8').catch(() => undefined);
  const gone = checkout === undefined || (await stat(checkout).catch(() => undefined)) === undefined;
  return { path, used, bytes: await sizeOf(path), unwanted: gone || used < now - unusedMilliseconds };
}

/** Renamed first: nobody who comes now finds half of it. */
async function remove(path: string): Promise<void> {
  const away = path.includes(trashSuffix) ? path : `${path}${trashSuffix}${process.pid}`;
  await rename(path, away).catch(() => undefined);
  await rm(away, { recursive: true, force: true, maxRetries: 5 });
}

async function sizeOf(path: string): Promise<number> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isDirectory()) return (found?.blocks ?? 0) * 512;
  let bytes = found.blocks * 512;
  for (const name of await readdir(path).catch(() => [])) bytes += await sizeOf(join(path, name));
  return bytes;
}
