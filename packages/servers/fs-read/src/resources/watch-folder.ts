import { type FSWatcher, watch } from 'node:fs';
import { errorCode } from '@capstan/workspace';

/**
 * Watches the names of one folder, without those below it; `changed` gets the name where the system says it. Undefined when
 * the folder is gone or the system has no more watches to give. Keeps no process alive.
 */
export function watchFolder(place: string, changed: (name: string | undefined) => void): FSWatcher | undefined {
  try {
    const watcher = watch(place, { persistent: false }, (_, name) => changed(name ?? undefined));
    // A folder that vanishes has nothing more to say.
    return watcher.on('error', () => watcher.close());
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}
