import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isSecretPath } from '../paths/index.ts';

const mostEntries = 200_000;

/** Whether a folder has a file whose name says that it is secret; also true where it is too large to tell. */
export async function holdsSecrets(folder: string): Promise<boolean> {
  const pending = [folder];
  let left = mostEntries;
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const entry of await readdir(at, { withFileTypes: true }).catch(() => [])) {
      const path = join(at, entry.name);
      left -= 1;
      if (left < 0 || isSecretPath(relative(folder, path))) return true;
      if (entry.isDirectory() && entry.name !== 'node_modules') pending.push(path);
    }
  }
  return false;
}
