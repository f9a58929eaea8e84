import { mkdir, realpath, stat } from 'node:fs/promises';
import { CapstanError } from '@capstan/contracts';

/** The real path of the folder that a server works on. Throws `usage` where there is none. */
export async function openRoot(name: string, folder: string): Promise<string> {
  const path = await realpath(folder).catch(() => undefined);
  const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
  if (path === undefined || !found?.isDirectory()) {
    throw new CapstanError('usage', `${name}: there is no folder at ${folder} that can be read.`, {
      hint: 'Give the folder of a project with --root.',
    });
  }
  return path;
}

/**
 * The real path of a server's own folder, for this user alone; made where it is missing. Throws `usage` where it cannot be
 * made, or lies in the root: what a server keeps is no part of what it works on.
 */
export async function openStateFolder(name: string, folder: string, root: string): Promise<string> {
  const path = await madeFolder(folder);
  if (typeof path !== 'string') throw refuse(`${name}: the state folder ${folder} cannot be made: ${path.reason}.`);
  if (path === root || path.startsWith(`${root}/`)) throw refuse(`${name}: the state folder lies inside the root.`);
  return path;
}

async function madeFolder(folder: string): Promise<string | { readonly reason: string }> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await realpath(folder);
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

function refuse(message: string): CapstanError {
  return new CapstanError('usage', message, { hint: 'Give another folder with --state.' });
}
