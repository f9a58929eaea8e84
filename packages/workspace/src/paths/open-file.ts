import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { checkRelativePath, quote } from './check-relative-path.ts';
import { isSecretPath } from './classify-path.ts';
import { errorCode } from './error-code.ts';
import { isInside } from './is-inside.ts';
import { absent, denied, type Folder, isDenied, outside, pathOfDescriptor, secret } from './open-folder.ts';
import { realRootOf } from './real-root.ts';
import { type Refusal, refuse } from './refusal.ts';

/** Never follows a link, never waits for the other end of a FIFO, never takes a terminal. */
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/** A regular file of the workspace, open for reading. Whoever got it closes the handle. */
export interface OpenFile {
  readonly handle: FileHandle;
  /** Bytes at the time of opening. */
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
}

/**
 * Opens a file of the workspace for reading, following links only as long as they stay inside. It is opened first and
 * judged afterwards by its descriptor, so a swap between check and use cannot lead out. Refused: secrets, folders,
 * devices, FIFOs, sockets, and files with a second hard link (the other name may be anywhere).
 */
export async function openInside(root: string, path: string): Promise<OpenFile | Refusal> {
  let opened = await openOnce(root, path);
  for (let tries = 1; tries < mostTries && isReplaced(opened); tries += 1) opened = await openOnce(root, path);
  return opened;
}

/** A file that is replaced all the time is tried so often. */
const mostTries = 10;

function isReplaced(opened: OpenFile | Refusal): boolean {
  return 'failure' in opened && opened.failure.code === 'stale-file';
}

async function openOnce(root: string, path: string): Promise<OpenFile | Refusal> {
  const checked = checkRelativePath(path);
  if ('failure' in checked) return checked;
  if (isSecretPath(checked.path)) return secret(path);
  try {
    const realRoot = await realRootOf(root);
    const target = await realpath(join(realRoot, checked.path));
    const early = judgePlace(realRoot, target, path);
    if (early !== undefined) return early;
    // A device may act on being opened: only what looks like a file is opened at all.
    if (!(await lstat(target)).isFile()) return notAFile(path);
    return await closeUnlessGiven(await open(target, readFlags), async (handle) => {
      const place = (await pathOfDescriptor(handle)) ?? (await realpath(target));
      return judgePlace(realRoot, place, path) ?? judgeFile(handle, path);
    });
  } catch (error) {
    return refusalOf(error, path);
  }
}

/** Opens a file by its name in an open folder; a link is refused. `path` is for messages. */
export async function openFileIn(folder: Folder, name: string, path: string): Promise<OpenFile | Refusal> {
  try {
    if (!(await lstat(folder.at(name))).isFile()) return notAFile(path);
    return await closeUnlessGiven(await open(folder.at(name), readFlags), (handle) => judgeFile(handle, path));
  } catch (error) {
    return refusalOf(error, path);
  }
}

/** Reads an open file to its end, at most `limit` bytes: undefined when it holds more. Closes it. */
export async function readToEnd(file: OpenFile, limit: number): Promise<Buffer | undefined> {
  try {
    if (file.size > limit) return undefined;
    const bytes = await file.handle.readFile();
    return bytes.length > limit ? undefined : bytes;
  } finally {
    await file.handle.close();
  }
}

/**
 * `openFileIn` and `readToEnd` in one go and without waiting, which costs a fifth: for readers of very many files, who let
 * others have their turn in between. Undefined where either of the two would not give its content.
 */
export function readFileAtOnce(folder: Folder, name: string, limit: number): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    if (!lstatSync(folder.at(name)).isFile()) return undefined;
    descriptor = openSync(folder.at(name), readFlags);
    const status = fstatSync(descriptor);
    if (!status.isFile() || status.nlink !== 1 || status.size > limit) return undefined;
    const bytes = readFileSync(descriptor);
    return bytes.length > limit ? undefined : bytes;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

async function closeUnlessGiven(
  handle: FileHandle,
  judge: (handle: FileHandle) => Promise<OpenFile | Refusal>,
): Promise<OpenFile | Refusal> {
  let given = false;
  try {
    const judged = await judge(handle);
    given = !('failure' in judged);
    return judged;
  } finally {
    if (!given) await handle.close();
  }
}

function judgePlace(realRoot: string, place: string, path: string): Refusal | undefined {
  if (!isInside(realRoot, place)) return outside(path);
  return isSecretPath(relative(realRoot, place)) ? secret(path) : undefined;
}

async function judgeFile(handle: FileHandle, path: string): Promise<OpenFile | Refusal> {
  const status = await handle.stat();
  if (!status.isFile()) return notAFile(path);
  if (status.nlink === 0) return replaced(path);
  if (status.nlink !== 1) return hardLinked(path);
  return { handle, size: status.size, mode: status.mode & 0o7777 };
}

export function notAFile(path: string): Refusal {
  return refuse('not-a-file', `${quote(path)} is no regular file.`, 'Name a file; folders are for list_files.');
}

export function hardLinked(path: string): Refusal {
  return refuse(
    'path-refused',
    `${quote(path)} has more than one hard link: its other name may lie outside the workspace.`,
    'Copy it to a new name and use that.',
  );
}

function replaced(path: string): Refusal {
  return refuse('stale-file', `${quote(path)} was replaced or removed while it was opened.`, 'Call again.');
}

function refusalOf(error: unknown, path: string): Refusal {
  const code = errorCode(error);
  if (code === 'ENOENT') return absent(path);
  if (code === 'ELOOP') return outside(path);
  if (code === 'ENOTDIR') return absent(path);
  if (isDenied(error)) return denied(path);
  throw error;
}
