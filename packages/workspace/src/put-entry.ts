import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CapstanError } from '@capstan/contracts';
import type { TreeEntry } from './git/tree-entries.ts';

/** A file or symlink to put somewhere. */
export interface NewEntry {
  readonly path: string;
  readonly entry: TreeEntry;
  readonly bytes: Buffer;
  /** What it replaces; with nothing to replace, nothing is ever overwritten. */
  readonly now: TreeEntry | undefined;
  /** Bits of a regular file; without them, those of git's mode under the umask of this process. */
  readonly permissions?: number;
}

/** The name of what a put that was cut off leaves beside its file. */
export function temporaryName(token: string): string {
  return `.capstan-${token}.tmp`;
}

/**
 * Puts one file or symlink into a checkout, whole or not at all: a new name beside it, flushed, then renamed. Parents that
 * are symlinks are refused.
 */
export async function putEntry(root: string, { path, entry, bytes, now, permissions }: NewEntry, token: string) {
  await inParent(root, path, true, async (parent, name) => {
    const temporary = join(parent, temporaryName(token));
    try {
      if (entry.mode === '120000') await symlink(bytes, temporary);
      else await writeFlushed(temporary, bytes, entry.mode === '100755' ? 0o777 : 0o666, permissions);
      if (now === undefined) await link(temporary, join(parent, name));
      else await rename(temporary, join(parent, name));
    } finally {
      await rm(temporary, { force: true });
    }
  });
}

/** Removes one file or symlink, and of the folders that this leaves empty all, as git does, or those named. */
export async function removeEntry(root: string, path: string, emptied: 'all' | readonly string[]): Promise<void> {
  await inParent(root, path, false, (parent, name) => rm(join(parent, name)));
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    if (emptied !== 'all' && !emptied.includes(folder)) return;
    const removed = await rmdir(join(root, folder)).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}

export interface Present {
  readonly entry: TreeEntry;
  readonly bytes: Buffer;
  /** All permission bits of a regular file. */
  readonly permissions?: number;
}

/** What lies at a path now, in git's terms; undefined for nothing or a folder, mode `other` for what git does not track. */
export async function readPresent(root: string, path: string): Promise<Present | undefined> {
  if (path.includes(replacement)) throw unnamable(path);
  const at = join(root, path);
  const found = await lstat(at).catch(() => undefined);
  if (found?.isSymbolicLink()) {
    const bytes = await readlink(at, { encoding: 'buffer' });
    return { entry: { mode: '120000', blob: blobId(bytes) }, bytes };
  }
  if (!found || found.isDirectory()) return undefined;
  const bytes = found.isFile() ? await readFile(at).catch(unlessClosed) : undefined;
  if (bytes === undefined) return { entry: { mode: 'other', blob: '' }, bytes: Buffer.alloc(0) };
  const mode = (found.mode & 0o100) === 0 ? '100644' : '100755';
  return { entry: { mode, blob: blobId(bytes) }, bytes, permissions: found.mode & 0o777 };
}

/** A file that may not be read is the user's, and none that a session knows. */
function unlessClosed(cause: NodeJS.ErrnoException): undefined {
  if (cause.code !== 'EACCES') throw cause;
}

/** Stands for bytes of a name that are no UTF-8: such a path does not lead where git says. */
const replacement = '\uFFFD';

function unnamable(path: string): CapstanError {
  return new CapstanError('checkout-moved', `Not applied: the name of a changed file is not UTF-8: ${path}`, {
    hint: 'Take the change over by hand; the diff shows it.',
  });
}

/** The id that git gives to these bytes. */
function blobId(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

async function writeFlushed(path: string, bytes: Buffer, mode: number, permissions?: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(bytes);
    if (permissions !== undefined) await file.chmod(permissions);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Walks to the parent folder one open folder at a time, so that no step can be swapped for a symlink under way. */
async function inParent(
  root: string,
  path: string,
  create: boolean,
  act: (parent: string, name: string) => Promise<void>,
): Promise<void> {
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  const opened: FileHandle[] = [await openFolder(root)];
  try {
    for (const part of parts) {
      const next = join(folderPath(opened.at(-1), root), part);
      if (create) await mkdir(next).catch(unlessExists);
      opened.push(await openFolder(next));
    }
    await act(folderPath(opened.at(-1), join(root, ...parts)), name);
    await opened.at(-1)?.sync();
  } finally {
    for (const handle of opened) await handle.close();
  }
}

function openFolder(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}

/** On Linux an open folder is addressed by its descriptor; elsewhere by its path. */
function folderPath(handle: FileHandle | undefined, path: string): string {
  return process.platform === 'linux' && handle ? `/proc/self/fd/${handle.fd}` : path;
}

function unlessExists(cause: NodeJS.ErrnoException): void {
  if (cause.code !== 'EEXIST') throw cause;
}
