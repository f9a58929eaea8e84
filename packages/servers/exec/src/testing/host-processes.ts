import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** The processes of this machine whose command line holds a marker, as the host sees them. */
export async function processesWith(marker: string): Promise<number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const lines = await Promise.all(names.map((name) => readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')));
  return names.filter((_, index) => lines[index]?.includes(marker) === true).map(Number);
}

/** Waits until something is so; `false` if it is not within `seconds`. */
export async function eventually(isSo: () => Promise<boolean>, seconds = 20): Promise<boolean> {
  for (let tries = 0; tries < seconds * 20; tries += 1) {
    if (await isSo()) return true;
    await delay(50);
  }
  return false;
}
