import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Repository } from '../git/find-repository.ts';
import { readablePath } from '../git/index-listing.ts';
import type { PrivateGit } from '../git/private-git.ts';
import { type CheckoutSnapshot, checkoutIndex } from '../git/snapshot-checkout.ts';
import { chooseIgnored } from '../ignored/choose-ignored.ts';
import { generatedFolders, mountsBelow } from './ignored-by-default.ts';
import { lfsPointers } from './lfs-pointers.ts';

/** What the copy lacks of the checkout, or holds only by name: one sentence each, for people. */
export async function checkoutNotices(
  git: PrivateGit,
  repository: Repository,
  snapshot: CheckoutSnapshot,
): Promise<string[]> {
  const { tracked, nested, unreadable } = snapshot;
  const submodules = tracked.submodules.map(readablePath);
  const others = nested.map(readablePath).filter((path) => !submodules.includes(path));
  const pointers = await lfsPointers(git, repository.root, snapshot.entries);
  const plain = repository.gitFolder === undefined;
  const generated = plain ? await generatedIn(git, repository.root) : [];
  const mounts = plain ? await mountsBelow(repository.root) : [];
  return [
    ...(plain ? ['This folder is no git checkout: all files in it are taken that are not ignored.'] : []),
    ...say(submodules, 'submodule is', 'submodules are', 'left out'),
    ...say(others, 'nested repository is', 'nested repositories are', 'left out'),
    ...say(pointers, 'file is an LFS pointer', 'files are LFS pointers', 'whose content is not here'),
    ...(tracked.sparse.some((path) => !snapshot.entries.has(path))
      ? ['The checkout is sparse: tracked files that are not in it are not in the copy.']
      : []),
    ...say(unreadable, 'file or folder cannot', 'files or folders cannot', 'be read and are left out'),
    ...say(
      await specialFiles(repository.root, snapshot),
      'special file',
      'special files',
      'left out (pipe, socket or device)',
    ),
    ...say(generated, 'generated folder is', 'generated folders are', 'left out'),
    ...say(mounts, 'folder is', 'folders are', 'mounted from elsewhere and left out'),
  ];
}

/** How many names a sentence lists. */
const mostNames = 5;

function say(paths: readonly string[], one: string, many: string, rest: string): string[] {
  if (paths.length === 0) return [];
  const shown = paths.slice(0, mostNames).map((path) => path.replace(/\/$/, ''));
  const more = paths.length > mostNames ? ` and ${paths.length - mostNames} more` : '';
  return [`${paths.length} ${paths.length === 1 ? one : many} ${rest}: ${shown.join(', ')}${more}.`];
}

async function generatedIn(git: PrivateGit, root: string): Promise<string[]> {
  const flags = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
  const listed = await git.run(flags, root, checkoutIndex);
  const ignored = listed.stdout.toString('utf8').split('\0').filter(Boolean);
  // What was installed or built is brought along for checks, and that is said then.
  const broughtAlong = new Set(chooseIgnored(ignored).map(({ path }) => `${path}/`));
  return ignored.filter(
    (path) => path.endsWith('/') && generatedFolders.includes(basename(path)) && !broughtAlong.has(path),
  );
}

/** What git passes over in silence in the folders that hold the files of the copy. */
async function specialFiles(root: string, { entries }: CheckoutSnapshot): Promise<string[]> {
  const folders = new Set(['']);
  for (const path of entries.keys()) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  const found: string[] = [];
  for (const folder of folders) {
    const at = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(folder, 'latin1')]);
    const entriesHere = await readdir(at, { withFileTypes: true }).catch(() => []);
    const special = entriesHere.filter((entry) => !entry.isFile() && !entry.isDirectory() && !entry.isSymbolicLink());
    found.push(...special.map((entry) => `${readablePath(folder)}${entry.name}`));
  }
  return found.sort();
}
