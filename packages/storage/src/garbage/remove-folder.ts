import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Removes a folder with all that is in it: also what tests of a repository, or overlays over it, made unreadable. */
export function removeFolder(path: string): void {
  const options = { recursive: true, force: true, maxRetries: 5 } as const;
  try {
    rmSync(path, options);
  } catch {
    openFolders(path);
    rmSync(path, options);
  }
}

/** Gives the owner back every right on a folder and those in it; links are not followed. */
function openFolders(path: string): void {
  chmodSync(path, 0o700);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) openFolders(join(path, entry.name));
  }
}
