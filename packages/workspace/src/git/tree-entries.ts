import { type PrivateGit, text } from './private-git.ts';

/** A path in a tree. `mode` as git writes it: 100644, 100755, 120000 (symlink), 160000 (submodule). */
export interface TreeEntry {
  readonly mode: string;
  readonly blob: string;
}

/** One path that differs between two trees; an absent side is undefined. */
export interface TreeChange {
  readonly path: string;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

const absent = '000000';

/** Every path that differs between the two trees, without renames, in git's order. */
export async function changesBetween(git: PrivateGit, root: string, from: string, to: string): Promise<TreeChange[]> {
  const result = await git.run(
    ['diff-tree', '-r', '--raw', '--no-renames', '--no-abbrev', '-z', from, to],
    root,
    'index.workspace',
  );
  const fields = result.stdout.toString('utf8').split('\0');
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = absent, mode = absent, oldBlob = '', blob = ''] = (fields[at] ?? '').slice(1).split(' ');
    changes.push({
      path: fields[at + 1] ?? '',
      before: oldMode === absent ? undefined : { mode: oldMode, blob: oldBlob },
      after: mode === absent ? undefined : { mode, blob },
    });
  }
  return changes;
}

/** The bytes of a blob in the private object store (or its alternates). */
export async function readBlob(git: PrivateGit, root: string, blob: string): Promise<Buffer> {
  return (await git.run(['cat-file', 'blob', blob], root, 'index.workspace')).stdout;
}

/** Stores bytes and returns their blob id. */
export async function writeBlob(git: PrivateGit, root: string, bytes: Buffer): Promise<string> {
  return text(
    await git.run(['hash-object', '-w', '--stdin', '--no-filters'], root, 'index.workspace', { input: bytes }),
  );
}

export function sameEntry(first: TreeEntry | undefined, second: TreeEntry | undefined): boolean {
  return first?.mode === second?.mode && first?.blob === second?.blob;
}
