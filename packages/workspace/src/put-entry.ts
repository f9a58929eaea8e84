import { createHash, randomUUID } from 'node:crypto';
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
import type { TreeEntry } from './git/tree-entries.ts';

/**
 * Puts one file or symlink into a checkout, whole or not at all: a new name beside it, flushed, then renamed. An entry
 * that must not exist yet (`mustBeNew`) is never overwritten. Parents that are symlinks are refused.
 */
export async function putEntry(
  root: string,
  path: string,
  entry: TreeEntry,
  bytes: Buffer,
  mustBeNew: boolean,
): Promise<void> {
  await inParent(root, path, true, async (parent, name) => {
    const temporary = join(parent, `.capstan-${randomUUID()}.tmp`);
    try {
      if (entry.mode === '120000') await symlink(bytes, temporary);
      else await writeFlushed(temporary, bytes, entry.mode === '100755' ? 0o777 : 0o666);
      if (mustBeNew) await link(temporary, join(parent, name));
      else await rename(temporary, join(parent, name));
    } finally {
      await rm(temporary, { force: true });
    }
  });
}

/** Removes one file or symlink, and the folders that this leaves empty, as git does. */
export async function removeEntry(root: string, path: string): Promise<void> {
  await inParent(root, path, false, (parent, name) => rm(join(parent, name)));
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const removed = await rmdir(join(root, folder)).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}

/** What lies at a path now, in git's terms; undefined for nothing or a folder, mode `other` for what git does not track. */
export async function presentEntry(root: string, path: string): Promise<TreeEntry | undefined> {
  const at = join(root, path);
  const found = await lstat(at).catch(() => undefined);
  if (found?.isSymbolicLink()) return { mode: '120000', blob: blobId(Buffer.from(await readlink(at))) };
  if (!found || found.isDirectory()) return undefined;
  if (!found.isFile()) return { mode: 'other', blob: '' };
  return { mode: (found.mode & 0o100) === 0 ? '100644' : '100755', blob: blobId(await readFile(at)) };
}

/** The id that git gives to these bytes. */
function blobId(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

async function writeFlushed(path: string, bytes: Buffer, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(bytes);
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
