import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CapstanError } from '@capstan/contracts';
import { openFolderInside } from '@capstan/workspace';

/** Whether the file was written, or was there before: then it is as it was. */
export type NewFile = 'written' | 'exists';

/** Writes a person's own file, which nobody else can read. Throws `usage` when it cannot be written. */
export async function writeNewFile(path: string, text: string): Promise<NewFile> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
    return 'written';
  } catch (cause) {
    return existsOr(cause, path);
  }
}

/** Writes `folder/name` in a checkout, and never through a link out of it. Throws `usage` when it cannot be written. */
export async function writeNewProjectFile(root: string, path: string, text: string): Promise<NewFile> {
  const slash = path.lastIndexOf('/');
  const folder = await openFolderInside(root, path.slice(0, slash), { create: true, writing: true });
  if ('failure' in folder) throw new CapstanError('usage', folder.failure.message, { hint: folder.failure.hint ?? '' });
  await using open = folder;
  try {
    await writeFile(open.at(path.slice(slash + 1)), text, { flag: 'wx', mode: 0o644 });
    return 'written';
  } catch (cause) {
    return existsOr(cause, path);
  }
}

function existsOr(cause: unknown, path: string): NewFile {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'EEXIST') return 'exists';
  throw new CapstanError('usage', `${path} cannot be written (${code}).`, {
    hint: 'Make its folder writable, or name another file with CAPSTAN_CONFIG.',
    cause,
  });
}
