import { constants } from 'node:fs';
import { chmod, type FileHandle, lstat, open, realpath, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { checkRelativePath, quote } from '../paths/check-relative-path.ts';
import { isProtectedPath } from '../paths/classify-path.ts';
import { errorCode } from '../paths/error-code.ts';
import { isInside } from '../paths/is-inside.ts';
import { hardLinked, notAFile, openFileIn, readToEnd } from '../paths/open-file.ts';
import { absent, type Folder, isDenied, openFolderInside, outside, protectedPath } from '../paths/open-folder.ts';
import { realRootOf } from '../paths/real-root.ts';
import { type Refusal, refuse } from '../paths/refusal.ts';
import { sha256 } from './digest.ts';
import { largestFile } from './read-file.ts';

const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

export interface WriteOptions {
  /** Of a new file; an existing one keeps its own. */
  readonly mode?: number;
  /** What must be there now: a sha256, or "absent". Looked at again immediately before the change. */
  readonly expected?: string;
  /** Makes the name of the temporary file; the same token gives the same name, so that a repeated write cleans up. */
  readonly token: string;
}

/**
 * Writes a file of the workspace so that it is there whole or not at all, and durable: temporary file in the same folder,
 * fsync, rename, fsync of the folder. Missing folders are made. Links are followed while they stay inside.
 */
export async function writeFileAtomically(
  root: string,
  path: string,
  bytes: Uint8Array,
  options: WriteOptions,
): Promise<{ readonly sha256: string } | Refusal> {
  return withTarget(root, path, { followLink: true, create: true }, async (folder, name) => {
    const present = await presentMode(folder, name, path);
    if (typeof present === 'object') return present;
    const temporary = temporaryName(name, options.token);
    await removeIfPresent(folder, temporary);
    try {
      await writeNew(folder.at(temporary), bytes, present ?? options.mode ?? 0o644);
      const changed = await differsFrom(options.expected, folder, name, path);
      if (changed !== undefined) return changed;
      await rename(folder.at(temporary), folder.at(name));
    } finally {
      await removeIfPresent(folder, temporary);
    }
    await folder.sync();
    return { sha256: sha256(bytes) };
  });
}

/** Removes a file of the workspace, durably; a link is refused. `expected` as for writes. */
export async function removeFileInside(
  root: string,
  path: string,
  options: Pick<WriteOptions, 'expected'>,
): Promise<{ readonly removed: true } | Refusal> {
  return withTarget(root, path, { followLink: false, create: false }, async (folder, name) => {
    const changed = await differsFrom(options.expected, folder, name, path);
    if (changed !== undefined) return changed;
    await unlink(folder.at(name));
    await folder.sync();
    return { removed: true };
  });
}

/** What a write or a removal would be refused for, with nothing changed; undefined when nothing is in the way. */
export async function checkWritable(
  root: string,
  path: string,
  act: 'write' | 'remove' = 'write',
): Promise<Refusal | undefined> {
  const judged = await withTarget(root, path, { followLink: act === 'write', create: false }, async (folder, name) => {
    const present = await presentMode(folder, name, path);
    return typeof present === 'object' ? present : { writable: true };
  });
  return 'failure' in judged && judged.failure.code !== 'not-found' ? judged : undefined;
}

/** Removes the temporary file that a write with this token left when its process died. */
export async function removeTemporary(root: string, path: string, token: string): Promise<void> {
  await withTarget(root, path, { followLink: true, create: false }, async (folder, name) => {
    await removeIfPresent(folder, temporaryName(name, token));
    return { removed: true };
  });
}

/** The name of the temporary file beside `name`; removed again before the write returns. */
export function temporaryName(name: string, token: string): string {
  return `.capstan-${sha256(`${name}\0${token}`).slice(0, 24)}.tmp`;
}

async function withTarget<Value extends object>(
  root: string,
  path: string,
  options: { readonly followLink: boolean; readonly create: boolean },
  act: (folder: Folder, name: string) => Promise<Value | Refusal>,
): Promise<Value | Refusal> {
  const checked = checkRelativePath(path);
  if ('failure' in checked) return checked;
  if (checked.path === '.') return notAFile(path);
  const target = await resolveLink(root, checked.path);
  if (target === undefined) return outside(path);
  if (!options.followLink && target !== checked.path) return isALink(path);
  if (isProtectedPath(checked.path) || isProtectedPath(target)) return protectedPath(path);
  const folder = await openFolderInside(root, dirname(target), { create: options.create, writing: true });
  if ('failure' in folder) return folder;
  try {
    const real = join(relative(await realRootOf(root), folder.realPath), basename(target));
    return isProtectedPath(real) ? protectedPath(path) : await act(folder, basename(target));
  } catch (error) {
    return refusalOf(error, path);
  } finally {
    await folder.close();
  }
}

/** Where a link leads, relative to the root; the path itself where it is no link; undefined when it leads out. */
async function resolveLink(root: string, path: string): Promise<string | undefined> {
  try {
    const realRoot = await realRootOf(root);
    if (!(await lstat(join(realRoot, path))).isSymbolicLink()) return path;
    const real = await realpath(join(realRoot, path));
    return real !== realRoot && isInside(realRoot, real) ? relative(realRoot, real) : undefined;
  } catch (error) {
    const code = errorCode(error);
    // What is in the way is said when the folder is opened.
    if (code === 'ENOTDIR' || isDenied(error)) return path;
    if (code !== 'ENOENT' && code !== 'ELOOP') throw error;
    return (await isLink(join(root, path))) ? undefined : path;
  }
}

/** True for a link, and for what lies behind links that lead in a circle. */
async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if (errorCode(error) === 'ELOOP') return true;
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Permission bits of what a write would replace; undefined when nothing is there; a refusal when it must not be replaced. */
async function presentMode(folder: Folder, name: string, path: string): Promise<number | undefined | Refusal> {
  try {
    const status = await lstat(folder.at(name));
    if (!status.isFile()) return status.isSymbolicLink() ? outside(path) : notAFile(path);
    return status.nlink === 1 ? status.mode & 0o7777 : hardLinked(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeNew(temporary: string, bytes: Uint8Array, mode: number): Promise<void> {
  const handle = await open(temporary, createFlags, 0o600);
  try {
    await handle.writeFile(bytes);
    await setMode(handle, temporary, mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** By descriptor path: the permission model switches `fchmod` off, and by name a swapped link would be followed. */
async function setMode(handle: FileHandle, temporary: string, mode: number): Promise<void> {
  try {
    await chmod(`/proc/self/fd/${handle.fd}`, mode);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    await chmod(temporary, mode);
  }
}

async function differsFrom(
  expected: string | undefined,
  folder: Folder,
  name: string,
  path: string,
): Promise<Refusal | undefined> {
  if (expected === undefined) return undefined;
  const file = await openFileIn(folder, name, path);
  if ('failure' in file && file.failure.code !== 'not-found') return file;
  const bytes = 'failure' in file ? undefined : await readToEnd(file, largestFile);
  const actual = 'failure' in file ? 'absent' : bytes === undefined ? 'too large' : sha256(bytes);
  return actual === expected ? undefined : changedMeanwhile(path);
}

async function removeIfPresent(folder: Folder, name: string): Promise<void> {
  try {
    await unlink(folder.at(name));
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

export function changedMeanwhile(path: string): Refusal {
  return refuse(
    'stale-file',
    `${quote(path)} is not what it was expected to be: somebody changed it. Nothing was written to it.`,
    'Read the file again and make the change on what is there now.',
  );
}

function isALink(path: string): Refusal {
  return refuse('not-a-file', `${quote(path)} is a link.`, 'Name the file that it leads to.');
}

function refusalOf(error: unknown, path: string): Refusal {
  const code = errorCode(error);
  if (code === 'ENOENT') return absent(path);
  if (code === 'EISDIR' || code === 'ENOTDIR') return notAFile(path);
  if (isDenied(error)) {
    return refuse(
      'path-refused',
      `The system does not allow writing ${quote(path)}.`,
      'Use another place, or ask the person to look at its permissions.',
    );
  }
  throw error;
}
