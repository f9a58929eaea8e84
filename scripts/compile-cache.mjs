import { mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const writableByOthers = 0o022;

/**
 * The folder in which Node keeps compiled code between starts; made where it is missing. Undefined where there is no
 * folder that only this user can write to: what lies in it is executed, so a shared one will not do.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @param {string} home
 * @returns {string | undefined}
 */
export function compileCacheFolder(environment, home = homedir()) {
  const folder = join(environment.XDG_CACHE_HOME || join(home, '.cache'), 'capstan', 'compile');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(folder);
    const own = process.getuid === undefined || uid === process.getuid();
    return own && (mode & writableByOthers) === 0 ? folder : undefined;
  } catch {
    // No home or a read-only one: starting is slower then, and nothing else.
    return undefined;
  }
}
