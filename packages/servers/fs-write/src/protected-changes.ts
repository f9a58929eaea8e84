import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { errorCode, protectedPaths, type Refusal, refuse } from '@capstan/workspace';
import type { Change } from './change.ts';

/**
 * Refuses changes of what configuration protects, whatever name they come under: the paths of a patch stand in its text, and
 * a link has another name than its file.
 */
export function protectedChanges(
  root: string,
  patterns: readonly string[],
): (changes: readonly Change[]) => Promise<Refusal | undefined> {
  const isProtected = protectedPaths(patterns);
  return async (changes) => {
    if (patterns.length === 0) return undefined;
    for (const { path } of changes) {
      if (!isProtected(path) && !isProtected(await realPathOf(root, path))) continue;
      return refuse(
        'path-refused',
        `${JSON.stringify(path)} is protected by the configuration. No file was changed.`,
        'Go on without it; a person can change what is protected.',
      );
    }
    return undefined;
  };
}

/** Relative to the root; of what is not there yet, by its nearest folder that is. */
async function realPathOf(root: string, path: string): Promise<string> {
  try {
    return relative(root, await realpath(join(root, path)));
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || path === '.') throw error;
    return join(await realPathOf(root, dirname(path)), basename(path));
  }
}
