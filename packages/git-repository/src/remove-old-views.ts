import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** No call takes so long. Milliseconds. */
const oldest = 60 * 60_000;

/** Removes what calls of a process that was killed left in its state folder; those of another one that runs are kept. */
export async function removeOldViews(stateFolder: string): Promise<void> {
  const folder = join(stateFolder, 'views');
  for (const name of await readdir(folder).catch(() => [])) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > oldest) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
  }
}
