import { lstat, readdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Refusal, readRegularFile, refuse } from '@capstan/workspace';
import type { IsAllowed, RepositoryPlace } from './locate-repository.ts';

const sharedParts = [
  'objects',
  'refs',
  'packed-refs',
  'logs',
  'info',
  'info/exclude',
  'info/attributes',
  'shallow',
  'config',
];
const ownParts = ['HEAD', 'index', 'config.worktree', 'logs', 'info'];
/** Alternates of alternates are followed no further, as in git. */
const deepest = 5;
/** More entries of refs and logs than any repository that was seen has. */
const mostEntries = 200_000;

/** Refuses a repository with a part that lies elsewhere: behind a link, or in the object store of another repository. */
export async function checkParts(
  { gitFolder, commonFolder }: RepositoryPlace,
  isAllowed: IsAllowed,
): Promise<Refusal | undefined> {
  const parts = [
    ...sharedParts.map((name) => join(commonFolder, name)),
    ...ownParts.map((name) => join(gitFolder, name)),
  ];
  for (const part of parts) {
    const place = await realpath(part).catch(() => undefined);
    if (place !== undefined && !isAllowed(place)) return elsewhere(part);
  }
  return checkAlternates(join(commonFolder, 'objects'), isAllowed, deepest);
}

async function checkAlternates(objects: string, isAllowed: IsAllowed, levels: number): Promise<Refusal | undefined> {
  const text = (await readRegularFile(join(objects, 'info', 'alternates')))?.toString('utf8') ?? '';
  for (const line of text.split('\n').filter((row) => row !== '' && !row.startsWith('#'))) {
    const place = await realpath(resolve(objects, unquoted(line))).catch(() => undefined);
    if (place === undefined) continue;
    if (!isAllowed(place)) return elsewhere('objects/info/alternates');
    if (levels === 0) continue;
    const deeper = await checkAlternates(place, isAllowed, levels - 1);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

function unquoted(line: string): string {
  if (!line.startsWith('"') || !line.endsWith('"')) return line;
  return line.slice(1, -1).replace(/\\(.)/g, '$1');
}

function elsewhere(part: string): Refusal {
  const name = part.slice(part.lastIndexOf('/.git/') + 1);
  return refuse(
    'path-refused',
    `A part of this repository lies outside the workspace: ${name}.`,
    'A person can start the server with --trust FOLDER, if that place is right.',
  );
}

/**
 * Refuses to write into a git folder in which a link or a second name of a file could lead a write elsewhere: git follows
 * links when it appends to its logs and replaces its index.
 */
export async function checkNoLinks({ gitFolder, commonFolder }: RepositoryPlace): Promise<Refusal | undefined> {
  for (const folder of new Set([gitFolder, commonFolder])) {
    const found =
      (await findLink(folder, 0)) ??
      (await findLink(join(folder, 'logs'), deepestFolder)) ??
      (await findLink(join(folder, 'refs'), deepestFolder)) ??
      (await findLink(join(folder, 'objects'), 1)) ??
      (await findLink(join(folder, 'info'), 1));
    if (found === undefined) continue;
    return refuse(
      'path-refused',
      `${JSON.stringify(found.slice(folder.length + 1))} in the git folder is a link or has a second name: writing could lead elsewhere.`,
      'A person has to look at it; reading is still possible.',
    );
  }
  return undefined;
}

const deepestFolder = 30;

async function findLink(folder: string, levels: number, budget = { left: mostEntries }): Promise<string | undefined> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  // Packs and objects that a clone shares have second names, and are never written into.
  const isStore = /\/objects(\/|$)/.test(folder);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    budget.left -= 1;
    if (entry.isSymbolicLink() || budget.left < 0) return path;
    if (entry.isFile() && !isStore && (await lstat(path)).nlink > 1) return path;
    const deeper = entry.isDirectory() && levels > 0 ? await findLink(path, levels - 1, budget) : undefined;
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}
