import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openFolderInside } from '@capstan/workspace';

/** The names in the folder of a path, as they are written on disk; none when there is no such folder. */
export async function namesBeside(root: string, path: string): Promise<string[]> {
  const folder = await openFolderInside(root, dirname(path));
  if ('failure' in folder) return [];
  await using open = folder;
  // Waited for here: else the folder would be closed, and its descriptor used again, while it is read.
  return await readdir(open.here);
}
