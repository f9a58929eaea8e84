import type { PrivateGit } from './private-git.ts';
import type { TreeChange } from './tree-entries.ts';

/** Larger files are named in a diff and not spelled out: nobody reads them, and logs would swell. Bytes. */
const largestShown = 16 * 1024 * 1024;

const base = ['diff-tree', '-r', '--no-renames', '--no-ext-diff', '--no-textconv', '-p', '--full-index'];

/** A unified diff between two trees that `git apply` takes, but for files over 16 MiB, of which it says that they differ. */
export async function diffText(
  git: PrivateGit,
  root: string,
  trees: { readonly from: string; readonly to: string },
  changes: readonly TreeChange[],
): Promise<string> {
  if (changes.length === 0) return '';
  const large = await largeOf(git, root, changes);
  const show = async (flags: readonly string[], paths: readonly string[]): Promise<string> => {
    const shown = await git.run([...base, ...flags, trees.from, trees.to, '--', ...paths], root, 'index.none');
    return shown.stdout.toString('utf8');
  };
  if (large.length === 0) return show(['--binary'], []);
  const excluded = large.map((path) => `:(exclude,literal)${path}`);
  const named = large.map((path) => `:(literal)${path}`);
  return `${await show(['--binary'], ['.', ...excluded])}${await show([], named)}`;
}

async function largeOf(git: PrivateGit, root: string, changes: readonly TreeChange[]): Promise<string[]> {
  const blobs = changes.flatMap(({ before, after }) =>
    [before?.blob, after?.blob].filter((blob) => blob !== undefined),
  );
  const input = blobs.map((blob) => `${blob}\n`).join('');
  const flags = ['cat-file', '--batch-check=%(objectname) %(objectsize)', '--buffer'];
  const { stdout } = await git.run(flags, root, 'index.none', { input });
  const rows = stdout.toString('latin1').trim().split('\n');
  const large = new Set(rows.filter((row) => Number(row.split(' ')[1]) > largestShown).map((row) => row.split(' ')[0]));
  return changes
    .filter(({ before, after }) => large.has(before?.blob) || large.has(after?.blob))
    .map(({ path }) => path);
}
