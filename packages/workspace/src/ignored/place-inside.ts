import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Sees to it that a folder is there below `root`, without going through a link on the way; `false` when something else
 * is in its place. Whoever writes below `root` must not be running.
 */
export async function placeInside(root: string, folder: string): Promise<boolean> {
  let at = root;
  for (const name of folder.split('/').filter((part) => part !== '' && part !== '.')) {
    if (name === '..') return false;
    at = join(at, name);
    const found = await lstat(at).catch(() => undefined);
    if (found === undefined) await mkdir(at);
    else if (!found.isDirectory()) return false;
  }
  return true;
}
