import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** Folders that every sandbox shows: tools that run inside must come from here. */
export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The first executable file of that name on a search path; relative entries are skipped, since a project could plant one. */
export function findExecutable(name: string, searchPath: string): string | undefined {
  if (isAbsolute(name)) return isExecutable(name) ? name : undefined;
  return searchPath
    .split(':')
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/** An executable of the operating system, which is at the same place inside a sandbox. */
export function systemExecutable(name: string): string | undefined {
  return findExecutable(name, '/usr/bin:/bin:/usr/sbin:/sbin');
}
