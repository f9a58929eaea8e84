import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { checkRelativePath, quote } from './check-relative-path.ts';
import { isProtectedPath, isSecretPath } from './classify-path.ts';
import { errorCode } from './error-code.ts';
import { isInside } from './is-inside.ts';
import { realRootOf } from './real-root.ts';
import { type Refusal, refuse } from './refusal.ts';

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * An open folder whose children are addressed through it: on Linux by its descriptor, so that swapping any folder of the
 * path for a link cannot lead elsewhere. Elsewhere by its real path, compared before and after (a race is narrowed there).
 */
export class Folder {
  /** Absolute real path at the time of opening. */
  readonly realPath: string;
  readonly #handle: FileHandle;
  readonly #byDescriptor: boolean;

  constructor(handle: FileHandle, realPath: string, byDescriptor: boolean) {
    this.#handle = handle;
    this.realPath = realPath;
    this.#byDescriptor = byDescriptor;
  }

  /** The folder itself, as a path for calls such as readdir. */
  get here(): string {
    return this.#byDescriptor ? `/proc/self/fd/${this.#handle.fd}` : this.realPath;
  }

  /** A child by name (one segment), as a path for file system calls that do not follow links. */
  at(name: string): string {
    if (name === '' || name === '.' || name === '..' || name.includes('/')) throw new TypeError(`Not a name: ${name}`);
    return `${this.here}/${name}`;
  }

  /** Opens a folder in this one; a link is refused by the system (ELOOP or ENOTDIR). */
  async openChild(name: string): Promise<Folder> {
    const handle = await open(this.at(name), folderFlags);
    return new Folder(handle, join(this.realPath, name), this.#byDescriptor);
  }

  /** Makes changes of names in this folder durable. */
  async sync(): Promise<void> {
    await this.#handle.sync();
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

export interface FolderOptions {
  /** Make missing folders on the way. */
  readonly create?: boolean;
  /** The folder is opened to change what it holds: what belongs to git is refused too. */
  readonly writing?: boolean;
}

/**
 * Opens a folder of the workspace, following links only as long as they stay inside. With `create`, missing folders are
 * made on the way. Every step is opened through the one before it: nothing is trusted between check and use.
 */
export async function openFolderInside(
  root: string,
  path: string,
  options: FolderOptions = {},
): Promise<Folder | Refusal> {
  const checked = checkRelativePath(path);
  if ('failure' in checked) return checked;
  if (isSecretPath(checked.path)) return secret(path);
  try {
    return await openChecked(root, checked.path, path, options);
  } catch (error) {
    if (isDenied(error)) return denied(path);
    throw error;
  }
}

/** `path` is checked as a text, `given` is how it was written. */
async function openChecked(
  root: string,
  path: string,
  given: string,
  options: FolderOptions,
): Promise<Folder | Refusal> {
  const realRoot = await realRootOf(root);
  const target = await resolveExisting(realRoot, path);
  if (target === undefined || !isInside(realRoot, target.real)) return outside(given);
  const segments = [...target.real.slice(realRoot.length).split('/'), ...target.missing].filter((part) => part !== '');
  if (isSecretPath(segments.join('/'))) return secret(given);
  if (options.writing === true && isProtectedPath(segments.join('/'))) return protectedPath(given);
  if (target.missing.length > 0 && options.create !== true) return absent(given);
  return walk(realRoot, segments, given, options.create === true);
}

/** One step down, after which the folder that it starts from is closed. */
async function leave(folder: Folder, segment: string, path: string, create: boolean): Promise<Folder | Refusal> {
  try {
    return await step(folder, segment, path, create);
  } finally {
    await folder.close();
  }
}

async function walk(
  root: string,
  segments: readonly string[],
  path: string,
  create: boolean,
): Promise<Folder | Refusal> {
  let folder = new Folder(await open(root, folderFlags), root, existsSync('/proc/self/fd'));
  for (const segment of segments) {
    const next = await leave(folder, segment, path, create);
    if ('failure' in next) return next;
    folder = next;
  }
  return folder;
}

async function step(folder: Folder, segment: string, path: string, create: boolean): Promise<Folder | Refusal> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      return await folder.openChild(segment);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ELOOP') return outside(path);
      if (code === 'ENOTDIR')
        return refuse(
          'not-a-folder',
          `${quote(path)} leads through something that is no folder.`,
          'List the folder above it.',
        );
      if (code !== 'ENOENT') throw error;
      if (!create) return absent(path);
      await makeFolder(folder, segment);
    }
  }
  return absent(path);
}

async function makeFolder(folder: Folder, segment: string): Promise<void> {
  try {
    await mkdir(folder.at(segment));
    await folder.sync();
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** The real path of the longest existing part, and the names after it; undefined when a link leads nowhere. */
async function resolveExisting(root: string, path: string): Promise<{ real: string; missing: string[] } | undefined> {
  const segments = path.split('/');
  for (let count = segments.length; count >= 0; count -= 1) {
    const candidate = join(root, ...segments.slice(0, count));
    try {
      return { real: await realpath(candidate), missing: segments.slice(count) };
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ELOOP') return undefined;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
      if (await isDanglingLink(candidate)) return undefined;
    }
  }
  return undefined;
}

async function isDanglingLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return false;
    throw error;
  }
}

/** The real path behind an open descriptor; undefined where the system has no /proc. */
export async function pathOfDescriptor(handle: FileHandle): Promise<string | undefined> {
  try {
    return await readlink(`/proc/self/fd/${handle.fd}`);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export function outside(path: string): Refusal {
  return refuse(
    'path-refused',
    `The path ${quote(path)} leads out of the workspace.`,
    'Use a path whose links stay inside the workspace.',
  );
}

export function secret(path: string): Refusal {
  return refuse(
    'path-refused',
    `${quote(path)} is a file that holds secrets or runs code, such as .env, a private key or .git/hooks; no tool opens it.`,
    'Go on without it, or ask the person to look.',
  );
}

export function protectedPath(path: string): Refusal {
  return refuse(
    'path-refused',
    `${quote(path)} is protected: secrets and everything of git itself are never written.`,
    'Leave it to the person.',
  );
}

export function absent(path: string): Refusal {
  return refuse('not-found', `There is nothing at ${quote(path)}.`, 'List the folder to see the names that exist.');
}

/** True for an error that says that this process may not do something. */
export function isDenied(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS', 'ERR_ACCESS_DENIED'].includes(errorCode(error) ?? '');
}

export function denied(path: string): Refusal {
  return refuse('path-refused', `The system denies access to ${quote(path)}.`, 'Use another place.');
}
