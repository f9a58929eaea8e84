import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The name of a view, which says whose it is. */
export function viewName(pid: number): string {
  return `${pid}.${randomUUID()}`;
}

/** Removes what processes that were killed left in a state folder; what one that runs works with is kept. */
export async function removeOldViews(stateFolder: string): Promise<void> {
  const folder = join(stateFolder, 'views');
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = Number(name.split('.')[0]);
    if (pid !== process.pid && isRunning(pid)) continue;
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process may be asked for, and runs.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
