import { constants } from 'node:fs';
import { cp, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { isSecretPath } from '../paths/index.ts';

export interface CopyBounds {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Copies a file or folder, whole or not at all: `false` when it has more files or bytes than the bounds allow. Links
 * stay links; secrets, sockets and devices are left out; shared blocks are used where the file system has them. The
 * copy is made in `temporary`, on the file system of `to`, and moved from there.
 */
export async function copyBounded(from: string, to: string, bounds: CopyBounds, temporary: string): Promise<boolean> {
  if (!(await fits(from, bounds))) return false;
  const copy = join(temporary, basename(to));
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  try {
    await cp(from, copy, {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      mode: constants.COPYFILE_FICLONE,
      filter: async (source) => !isSecretPath(relative(from, source)) && (await isPlain(source)),
    });
    await mkdir(dirname(to), { recursive: true });
    await rename(copy, to);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return true;
}

async function isPlain(path: string): Promise<boolean> {
  const found = await lstat(path);
  return found.isFile() || found.isDirectory() || found.isSymbolicLink();
}

async function fits(from: string, bounds: CopyBounds): Promise<boolean> {
  const left = { ...bounds };
  const pending = [from];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const found = await lstat(path);
    left.files -= 1;
    if (found.isFile()) left.bytes -= found.size;
    if (left.files < 0 || left.bytes < 0) return false;
    if (found.isDirectory()) for (const name of await readdir(path)) pending.push(join(path, name));
  }
  return true;
}
