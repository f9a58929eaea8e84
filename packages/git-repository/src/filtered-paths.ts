import { pathBytes } from './pathspec.ts';
import type { Repository } from './repository.ts';

/** A file that a repository wants to pass through a content filter, such as Git LFS. */
export interface FilteredPath {
  readonly path: string;
  readonly filter: string;
}

/**
 * Those of the paths that attributes give a filter. Filters are never run: who writes such a file, or stores it, would do so
 * with wrong content. With `treeish`, by the attributes of that commit as well as by those in the folder.
 */
export async function filteredPaths(
  repository: Repository,
  paths: readonly string[],
  treeish?: string,
): Promise<FilteredPath[]> {
  if (paths.length === 0) return [];
  const input = pathBytes(paths);
  const outputs = [await repository.run(['check-attr', '-z', '--stdin', 'filter'], { input })];
  if (treeish !== undefined) {
    const indexFile = `${repository.folder}/index.attributes`;
    await repository.run(['read-tree', treeish], { indexFile });
    outputs.push(await repository.run(['check-attr', '--cached', '-z', '--stdin', 'filter'], { input, indexFile }));
  }
  const found = new Map<string, string>();
  for (const { stdout } of outputs) {
    const fields = stdout.toString('latin1').split('\0');
    for (let at = 0; at + 2 < fields.length; at += 3) {
      const [path = '', , filter = ''] = fields.slice(at, at + 3);
      if (!['unspecified', 'unset', 'set', ''].includes(filter)) found.set(path, filter);
    }
  }
  return [...found].map(([path, filter]) => ({ path, filter }));
}
