import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Repository } from './find-repository.ts';
import { pathList } from './index-listing.ts';
import type { AddOutcome, PrivateGit } from './private-git.ts';
import { type TrackedPaths, trackedPaths } from './tracked-paths.ts';

/** The index that knows the states of the checkout's files, so that only what changed is read again. */
export const checkoutIndex = 'index.checkout';

/** A checkout as it was at one moment. */
export interface CheckoutSnapshot extends AddOutcome {
  readonly tree: string;
  readonly tracked: TrackedPaths;
}

/** All new content goes into one pack: ten thousands of files are written several times faster than one by one. */
const intoOnePack = ['core.bigFileThreshold=1', 'core.compression=1'];

/** Takes a checkout as it is now: tracked, changed and untracked files, but not ignored ones. Content byte for byte. */
export async function snapshotCheckout(
  git: PrivateGit,
  repository: Repository,
  onRead?: (files: number) => void,
): Promise<CheckoutSnapshot> {
  const { root } = repository;
  const tracked = await trackedPaths(git, repository);
  return git.withIndex(checkoutIndex, true, async (index) => {
    const added = await git.addAll(root, index, { settings: intoOnePack, onRead });
    const gone = [...(await noLongerPart(git, root, index, tracked)), ...unreadablePaths(added)];
    await git.forget(gone, root, index);
    // Tracked files that an ignore rule matches are part of the checkout too.
    const untaken = [...tracked.paths].filter((path) => !added.entries.has(path));
    const missed = await present(root, untaken);
    if (missed.length > 0) {
      const input = pathList(missed);
      await git.run(['update-index', '--add', '--remove', '-z', '--stdin'], root, index, { input });
    }
    const entries = gone.length + missed.length > 0 ? await git.entries(root, index) : added.entries;
    return { ...added, entries, tree: await git.writeTree(root, index), tracked };
  });
}

/** What an earlier snapshot took and an ignore rule matches by now, unless it is tracked. */
async function noLongerPart(git: PrivateGit, root: string, index: string, tracked: TrackedPaths): Promise<string[]> {
  const flags = ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'];
  const listed = await git.run(flags, root, index);
  const paths = listed.stdout.toString('latin1').split('\0');
  return paths.filter((path) => path !== '' && !tracked.paths.has(path));
}

/** What could be read once and cannot be now is not what it was. */
function unreadablePaths({ unreadable, entries }: AddOutcome): string[] {
  if (unreadable.length === 0) return [];
  const paths = unreadable.map((path) => Buffer.from(path, 'utf8').toString('latin1'));
  const folders = paths.filter((path) => path.endsWith('/'));
  const files = new Set(paths);
  return [...entries.keys()].filter((path) => files.has(path) || folders.some((folder) => path.startsWith(folder)));
}

/** Those of the paths at which a readable file or a link lies, with no link on the way to it. */
async function present(root: string, paths: readonly string[]): Promise<string[]> {
  const folders = new Map<string, Promise<boolean>>([['.', Promise.resolve(true)]]);
  const isFolder = (path: string): Promise<boolean> => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const answer = isFolder(dirname(path)).then(async (above) => above && (await kindAt(root, path)) === 'folder');
    folders.set(path, answer);
    return answer;
  };
  const found: string[] = [];
  for (const path of paths) {
    if ((await isFolder(dirname(path))) && (await kindAt(root, path)) === 'file') found.push(path);
  }
  return found;
}

async function kindAt(root: string, path: string): Promise<'file' | 'folder' | undefined> {
  const at = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
  const found = await lstat(at).catch(() => undefined);
  if (found?.isDirectory()) return 'folder';
  if (found?.isSymbolicLink()) return 'file';
  if (!found?.isFile()) return undefined;
  return access(at, constants.R_OK).then(
    () => 'file',
    () => undefined,
  );
}
