import { basename, dirname } from 'node:path';
import type { StopWatch } from '@capstan/tool-server';
import { openFolderInside, openInside } from '@capstan/workspace';
import { watchFolder } from './watch-folder.ts';

/** Several events of one write are one change. Milliseconds. */
const settleMs = 50;

/**
 * Calls `changed` when a file was written, replaced or removed; undefined for what cannot be read or watched. Its folder is
 * watched, because editors replace files by renaming. A folder that is itself moved away ends the watch silently.
 */
export async function watchFile(root: string, path: string, changed: () => void): Promise<StopWatch | undefined> {
  let last = await stampOf(root, path);
  if (last === undefined) return undefined;
  const folder = await openFolderInside(root, dirname(path));
  if ('failure' in folder) return undefined;
  await using open = folder;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const now = await stampOf(root, path);
    if (now === last) return;
    last = now;
    changed();
  };
  const watcher = watchFolder(open.here, (name) => {
    if (name !== undefined && name !== basename(path)) return;
    clearTimeout(timer);
    timer = setTimeout(() => void look().catch(() => changed()), settleMs);
  });
  if (watcher === undefined) return undefined;
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

/** Tells one state of a file from another; undefined when it cannot be read. */
async function stampOf(root: string, path: string): Promise<string | undefined> {
  const file = await openInside(root, path);
  if ('failure' in file) return undefined;
  try {
    const { ino, size, mtimeNs, ctimeNs } = await file.handle.stat({ bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } finally {
    await file.handle.close();
  }
}
