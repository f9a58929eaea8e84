import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes a folder that code under test or an overlay wrote: also what they made unreadable. */
export async function removeTree(path: string): Promise<void> {
  await openFolders(path);
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Gives the owner back every right on a folder and those in it; links are not followed. What is gone is fine. */
async function openFolders(path: string): Promise<void> {
  try {
    await chmod(path, 0o700);
    for (const entry of await readdir(path, { withFileTypes: true })) {
      if (entry.isDirectory()) await openFolders(join(path, entry.name));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
