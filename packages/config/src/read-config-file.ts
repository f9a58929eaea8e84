import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { badConfig } from './problem.ts';

/** What a person writes by hand is far smaller; what a stranger's checkout brings must not take minutes to read. */
const mostBytes = 64 * 1024;

const flags = constants.O_RDONLY | constants.O_NONBLOCK;

/** Where the project's file lies in a checkout. */
export const projectFile = join('.capstan', 'config.yaml');

/** The text of a user's file; undefined when there is none. Throws `bad-config`. Links are followed: it is the person's. */
export async function readUserFile(path: string): Promise<string | undefined> {
  return readText(path, path);
}

/**
 * The text of the project's file in a checkout; undefined when there is none. A link that leads out of the checkout is
 * refused, so that a stranger's file cannot make another one be read and shown in an error. Throws `bad-config`.
 */
export async function readProjectFile(root: string): Promise<string | undefined> {
  const path = join(root, projectFile);
  const real = await realpath(path).catch((cause: NodeJS.ErrnoException) => {
    if (isAbsent(cause)) return undefined;
    throw unreadable(path, cause);
  });
  if (real === undefined) return undefined;
  if (!isInside(await realpath(root), real)) {
    throw wrong(path, 'it is a link that leads out of the checkout', 'Put the file itself there, or remove the link.');
  }
  return readText(real, path);
}

async function readText(place: string, shown: string): Promise<string | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(place, flags);
  } catch (cause) {
    if (isAbsent(cause)) return undefined;
    throw unreadable(shown, cause);
  }
  try {
    const status = await handle.stat();
    if (!status.isFile()) {
      const what = status.isDirectory() ? 'a folder' : 'no regular file';
      throw wrong(shown, `it is ${what}`, 'Put a file of YAML in its place, or remove it.');
    }
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(mostBytes + 1), 0, mostBytes + 1, 0);
    if (bytesRead > mostBytes) {
      throw wrong(shown, `it is larger than ${mostBytes / 1024} KiB`, 'Keep nothing but configuration in it.');
    }
    return decode(buffer.subarray(0, bytesRead), shown);
  } finally {
    await handle.close();
  }
}

function decode(bytes: Uint8Array, shown: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const line = new TextDecoder('latin1').decode(bytes.subarray(0, firstBadByte(bytes))).split('\n').length;
    throw wrong(`${shown}:${line}`, 'it is not UTF-8 text', 'Save it as UTF-8.');
  }
}

/** By halves: how many bytes from the start are UTF-8. */
function firstBadByte(bytes: Uint8Array): number {
  let [good, bad] = [0, bytes.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isDecodable(bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function isDecodable(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function unreadable(path: string, cause: unknown) {
  return wrong(path, `it cannot be read (${codeOf(cause)})`, 'Make it a file that you can read, or remove it.');
}

function wrong(place: string, message: string, hint: string) {
  return badConfig([{ place, message, hint }]);
}

/** Also when a part of the way to it is no folder. */
function isAbsent(cause: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(cause));
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
}
