import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repository } from './repository.ts';

/** What is under way in a repository, by the file that git keeps meanwhile. */
const files: readonly (readonly [file: string, what: string])[] = [
  ['MERGE_HEAD', 'merge'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
  ['index.lock', 'another git (index.lock)'],
];

/** What somebody has begun in a repository and not ended, such as "merge". */
export async function findUnderWay({ gitFolder }: Pick<Repository, 'gitFolder'>): Promise<string[]> {
  const found = await Promise.all(
    files.map(async ([file, what]) => {
      const entry = await lstat(join(gitFolder, file)).catch(() => undefined);
      return entry === undefined ? [] : [what];
    }),
  );
  return [...new Set(found.flat())];
}
