import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CapstanError } from '@capstan/contracts';

/** Where a checkout keeps what Capstan reads of it. Nothing in these folders is ever written. */
export interface Repository {
  /** Absolute path of the top folder of the checkout. */
  readonly root: string;
  /** Its own git folder (of a linked worktree: the one that holds its index). */
  readonly gitFolder: string;
  /** The git folder that worktrees share: ignore rules of the repository lie here. */
  readonly commonFolder: string;
}

/** Finds the checkout that `path` lies in. Throws `no-repository` or `not-a-git-repository`, both with a hint. */
export async function findRepository(path: string): Promise<Repository> {
  const start = resolve(path);
  const found = await stat(start).catch(() => undefined);
  if (!found?.isDirectory()) {
    throw new CapstanError('no-repository', `There is no folder at ${start}.`, {
      hint: 'Give the folder of a git checkout: capstan run --repo PATH "TASK".',
    });
  }
  for (let folder = await realpath(start); ; folder = dirname(folder)) {
    const gitFolder = await gitFolderOf(folder);
    if (gitFolder) return { root: folder, gitFolder, commonFolder: await commonFolderOf(gitFolder) };
    if (dirname(folder) === folder) break;
  }
  throw new CapstanError('not-a-git-repository', `${start} is not inside a git checkout.`, {
    hint: 'Run `git init` there; nothing needs to be committed, Capstan takes the files as they are.',
  });
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
  const pointer = await readFile(join(gitFolder, 'commondir'), 'utf8').catch(() => undefined);
  return pointer === undefined ? gitFolder : resolve(gitFolder, pointer.trim());
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
