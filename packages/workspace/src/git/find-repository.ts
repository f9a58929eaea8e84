import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CapstanError } from '@capstan/contracts';
import { isInside } from '../paths/is-inside.ts';
import { readRegularFile } from './read-regular-file.ts';

/** Where a checkout keeps what Capstan reads of it. Nothing in these folders is ever written. */
export interface Repository {
  /** Absolute path of the top folder of the checkout. */
  readonly root: string;
  /** Its own git folder (of a linked worktree: the one that holds its index); undefined for a folder without git. */
  readonly gitFolder: string | undefined;
  /** The git folder that worktrees share: ignore rules of the repository lie here. */
  readonly commonFolder: string | undefined;
}

export interface FindOptions {
  /** The person's home folder: by itself it is no checkout that somebody means. */
  readonly homeFolder?: string | undefined;
}

/**
 * Finds the checkout that `path` lies in; where there is none, the folder itself is one without git. Throws
 * `no-repository` or `not-a-checkout`, both with a hint.
 */
export async function findRepository(path: string, { homeFolder }: FindOptions = {}): Promise<Repository> {
  const start = resolve(path);
  const found = await stat(start).catch(() => undefined);
  if (!found?.isDirectory()) {
    throw new CapstanError('no-repository', `There is no folder at ${start}.`, {
      hint: 'Give the folder of a checkout: capstan run --repo PATH "TASK".',
    });
  }
  const root = await realpath(start);
  for (let folder = root; ; folder = dirname(folder)) {
    const gitFolder = await gitFolderOf(folder);
    if (gitFolder) return inGit(folder, gitFolder);
    if (await isGitFolder(folder)) throw bare(folder);
    if (dirname(folder) === folder) break;
  }
  await refuseByMistake(root, homeFolder);
  return plainFolder(root);
}

/** A checkout without git. */
export function plainFolder(root: string): Repository {
  return { root, gitFolder: undefined, commonFolder: undefined };
}

async function inGit(root: string, gitFolder: string): Promise<Repository> {
  const commonFolder = await commonFolderOf(gitFolder);
  const config = (await readRegularFile(join(commonFolder, 'config')))?.toString('utf8') ?? '';
  const elsewhere = /^\s*worktree\s*=\s*"?(.+?)"?\s*$/im.exec(config)?.[1];
  // The setting is for the main worktree; linked ones say themselves where they are.
  if (elsewhere !== undefined && gitFolder === commonFolder) {
    const place = resolve(gitFolder, elsewhere);
    if ((await realpath(place).catch(() => place)) !== root) throw filesElsewhere(root, place);
  }
  return { root, gitFolder, commonFolder };
}

async function gitFolderOf(folder: string): Promise<string | undefined> {
  const entry = join(folder, '.git');
  const found = await stat(entry).catch(() => undefined);
  if (found?.isDirectory()) return (await exists(join(entry, 'HEAD'))) ? entry : undefined;
  if (!found?.isFile()) return undefined;
  const target = /^gitdir: (.+)$/m.exec(await readFile(entry, 'utf8'))?.[1];
  const gitFolder = target === undefined ? undefined : resolve(folder, target.trim());
  return gitFolder !== undefined && (await exists(join(gitFolder, 'HEAD'))) ? gitFolder : undefined;
}

async function commonFolderOf(gitFolder: string): Promise<string> {
  const pointer = (await readRegularFile(join(gitFolder, 'commondir')))?.toString('utf8');
  return pointer === undefined ? gitFolder : resolve(gitFolder, pointer.trim());
}

/** By what git itself goes by: HEAD, objects and refs. */
async function isGitFolder(folder: string): Promise<boolean> {
  const parts = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => exists(join(folder, name))));
  return parts.every(Boolean);
}

function bare(folder: string): CapstanError {
  return new CapstanError('not-a-checkout', `${folder} is a git repository without files (bare, or a .git folder).`, {
    hint: 'Give a checkout of it: git clone it first, or name the folder that your files are in.',
  });
}

function filesElsewhere(root: string, place: string): CapstanError {
  return new CapstanError('not-a-checkout', `The git folder of ${root} says that its files are in ${place}.`, {
    hint: `Give the folder that your files are in, or take core.worktree out of the configuration in ${root}.`,
  });
}

async function refuseByMistake(root: string, homeFolder: string | undefined): Promise<void> {
  const home = homeFolder === undefined ? undefined : await realpath(homeFolder).catch(() => undefined);
  const what = whatItIs(root, home);
  if (what === undefined) return;
  throw new CapstanError('not-a-checkout', `${root} is ${what}, not a project.`, {
    hint: 'Give the folder that your files are in: capstan run --repo PATH "TASK".',
  });
}

/** Folders of the system: they and all that lies in them hold settings and secrets of the machine. */
const systemFolders = ['/bin', '/boot', '/dev', '/etc', '/lib', '/lib64', '/proc', '/sbin', '/sys'];
/** Folders that hold projects at most in a folder of their own. */
const sharedFolders = ['/media', '/mnt', '/opt', '/run', '/srv', '/tmp', '/usr', '/var'];
/** Folders of a home that hold keys. */
const keyFolders = ['.aws', '.gnupg', '.kube', '.ssh'];

function whatItIs(root: string, home: string | undefined): string | undefined {
  if (root === '/') return 'the whole machine';
  if (root === home) return 'your home folder';
  if (home !== undefined && isInside(root, home)) return 'a folder of home folders';
  if (home !== undefined && keyFolders.some((name) => isInside(join(home, name), root))) return 'a folder of keys';
  const isSystem = sharedFolders.includes(root) || systemFolders.some((folder) => isInside(folder, root));
  return isSystem ? 'a folder of the system' : undefined;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
