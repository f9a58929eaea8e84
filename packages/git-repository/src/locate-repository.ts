import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import {
  checkRelativePath,
  isInside,
  isProtectedPath,
  type Refusal,
  readRegularFile,
  refuse,
} from '@capstan/workspace';

/** Where a repository is. All paths are absolute and real. */
export interface RepositoryPlace {
  /** The folder of its files. */
  readonly root: string;
  /** The git folder with HEAD and index; of a linked worktree its own. */
  readonly gitFolder: string;
  /** The git folder with objects and refs, which worktrees share. */
  readonly commonFolder: string;
}

export interface LocateRequest {
  /** Nothing outside of it is used, unless it is named below. */
  readonly root: string;
  /** The folder of the repository in the root, as the caller gives it. */
  readonly path: string;
  /** The git folder of the root, where it has none of its own. */
  readonly gitFolder?: string | undefined;
  /** Folders outside of the root in which parts of a repository may lie. */
  readonly trusted: readonly string[];
}

/** True if parts of this repository may lie there. */
export type IsAllowed = (realPath: string) => boolean;

/**
 * Finds the git folder of a repository, which must lie in the root: a pointer that leads out of it is followed only when the
 * place that it names points back (a linked worktree), or when the person who started the server named that place.
 */
export async function locateRepository(
  request: LocateRequest,
): Promise<{ readonly place: RepositoryPlace; readonly isAllowed: IsAllowed } | Refusal> {
  const folder = await folderInside(request.root, request.path);
  if (typeof folder !== 'string') return folder;
  const given = request.gitFolder !== undefined && folder === request.root ? await real(request.gitFolder) : undefined;
  const named = given ?? (await gitFolderOf(folder));
  if (typeof named !== 'string') return named;
  const trusted = [request.root, ...request.trusted, ...(given === undefined ? [] : [given])];
  const pointsBack = (await worktreeOf(named)) === join(folder, '.git');
  const commonFolder = await commonFolderOf(named);
  if (pointsBack && dirname(dirname(named)) === commonFolder && basename(dirname(named)) === 'worktrees') {
    trusted.push(commonFolder);
  }
  // What a person names as git folder of the root may be one of a linked worktree.
  if (given !== undefined && dirname(dirname(given)) === commonFolder) trusted.push(commonFolder);
  const isAllowed = (path: string) => trusted.some((place) => isInside(place, path));
  if (!isAllowed(named) || !isAllowed(commonFolder)) return leadsOut(request.path);
  return { place: { root: folder, gitFolder: named, commonFolder }, isAllowed };
}

async function folderInside(root: string, path: string): Promise<string | Refusal> {
  const checked = checkRelativePath(path);
  if ('failure' in checked) return checked;
  const folder = await real(join(root, checked.path));
  if (folder === undefined || !(await isFolder(folder))) {
    return refuse(
      'not-found',
      `There is no folder ${JSON.stringify(path)}.`,
      'Leave repository out for the one of the workspace.',
    );
  }
  if (!isInside(root, folder) || (checked.path !== '.' && isProtectedPath(checked.path))) {
    return refuse('path-refused', `${JSON.stringify(path)} leads out of the workspace.`, 'Name a folder inside of it.');
  }
  return folder;
}

async function gitFolderOf(folder: string): Promise<string | Refusal> {
  const entry = join(folder, '.git');
  const found = await lstat(entry).catch(() => undefined);
  if (found === undefined) return notARepository(folder);
  if (found.isFile()) {
    const text = (await readRegularFile(entry))?.toString('utf8') ?? '';
    const target = /^gitdir: (.+)$/m.exec(text)?.[1]?.trim();
    const pointed = target === undefined ? undefined : await real(resolve(folder, target));
    if (pointed === undefined) return broken('its .git file points to a folder that is not there');
    return (await looksLikeGitFolder(pointed)) ? pointed : broken('its .git file points to no git folder');
  }
  const place = await real(entry);
  return place !== undefined && (await looksLikeGitFolder(place)) ? place : broken('its .git folder has no HEAD');
}

async function notARepository(folder: string): Promise<Refusal> {
  const parts = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => real(join(folder, name))));
  if (parts.every((part) => part !== undefined)) {
    return refuse(
      'bare-repository',
      'This is a bare repository: it has no files.',
      'Work on a checkout of it: git clone it first.',
    );
  }
  for (let above = dirname(folder); above !== dirname(above); above = dirname(above)) {
    if ((await real(join(above, '.git'))) === undefined) continue;
    return refuse(
      'not-a-repository',
      'This folder lies inside a repository and is not the top of it.',
      'Name the top folder as repository; where that is above the workspace, a person has to start the server with it as --root.',
    );
  }
  return refuse(
    'not-a-repository',
    'This folder is no git repository.',
    'Name the folder of one as repository, e.g. "app".',
  );
}

function leadsOut(path: string): Refusal {
  return refuse(
    'path-refused',
    `The git folder of ${JSON.stringify(path)} lies outside the workspace, and does not name this folder as its worktree.`,
    'A person can start the server with --trust FOLDER, if that place is right.',
  );
}

function broken(why: string): Refusal {
  return refuse(
    'corrupt-repository',
    `The repository is broken: ${why}.`,
    'A person has to look at it with their own git.',
  );
}

/** The place of the `.git` file that a git folder of a linked worktree names. */
async function worktreeOf(gitFolder: string): Promise<string | undefined> {
  const text = (await readRegularFile(join(gitFolder, 'gitdir')))?.toString('utf8').trim();
  if (text === undefined || text === '') return undefined;
  const entry = resolve(gitFolder, text);
  const folder = await real(dirname(entry));
  return folder === undefined ? undefined : join(folder, basename(entry));
}

async function commonFolderOf(gitFolder: string): Promise<string> {
  const pointer = (await readRegularFile(join(gitFolder, 'commondir')))?.toString('utf8').trim();
  if (pointer === undefined || pointer === '') return gitFolder;
  const place = resolve(gitFolder, pointer);
  return (await real(place)) ?? place;
}

async function looksLikeGitFolder(folder: string): Promise<boolean> {
  return (await lstat(join(folder, 'HEAD')).catch(() => undefined)) !== undefined;
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path)).isDirectory();
}

async function real(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}
