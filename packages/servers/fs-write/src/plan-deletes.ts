import { checkRelativePath, checkWritable, type Refusal, refuse } from '@capstan/workspace';
import { type Change, readState } from './change.ts';

/** Works out what deleting files would do. Folders are not deleted: they vanish from git with their last file. */
export async function planDeletes(root: string, paths: readonly string[]): Promise<Change[] | Refusal> {
  const changes = new Map<string, Change>();
  for (const given of paths) {
    const checked = checkRelativePath(given);
    if ('failure' in checked) return checked;
    const { path } = checked;
    const blocked = await checkWritable(root, path, 'remove');
    if (blocked !== undefined) return blocked;
    const before = await readState(root, path);
    if (before === undefined) {
      return refuse(
        'not-found',
        `There is nothing at ${JSON.stringify(path)}. No file was deleted.`,
        'List the folder to see the names that exist.',
      );
    }
    if ('failure' in before) return before;
    changes.set(path, { path, before, after: undefined, notes: [] });
  }
  return [...changes.values()];
}
