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
/** Deeper than names of branches go. */
const deepestFolder = 30;

/** Where a link could make names or objects of another repository readable; single objects are found by their hash alone. */
const readThrough: readonly (readonly [folder: string, levels: number])[] = [
  ['refs', deepestFolder],
  ['logs', deepestFolder],
  ['objects', 0],
  ['objects/pack', 0],
  ['objects/info', 0],
];

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
  for (const [name, levels] of readThrough) {
    for await (const { path, isLink } of entriesBelow(join(commonFolder, name), levels)) {
      const place = isLink ? await realpath(path).catch(() => undefined) : undefined;
      if (place !== undefined && !isAllowed(place)) return elsewhere(path);
    }
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
    const found = await findSecondName(folder);
    if (found === undefined) continue;
    return refuse(
      'path-refused',
      `${JSON.stringify(found.slice(folder.length + 1))} in the git folder is a link or has a second name: writing could lead elsewhere.`,
      'A person has to look at it; reading is still possible.',
    );
  }
  return undefined;
}

/** What git writes into, or replaces. Objects that a clone shares have second names, and are never written into. */
const writtenInto: readonly (readonly [folder: string, levels: number])[] = [
  ['', 0],
  ['logs', deepestFolder],
  ['refs', deepestFolder],
  ['objects', 1],
  ['info', 1],
];

async function findSecondName(gitFolder: string): Promise<string | undefined> {
  for (const [name, levels] of writtenInto) {
    for await (const { path, isLink, isFile } of entriesBelow(join(gitFolder, name), levels)) {
      if (isLink || (isFile && name !== 'objects' && (await lstat(path)).nlink > 1)) return path;
    }
  }
  return undefined;
}

interface FolderEntry {
  readonly path: string;
  readonly isLink: boolean;
  readonly isFile: boolean;
}

/** What lies in a folder and so many levels below it; links are named and not followed. */
async function* entriesBelow(folder: string, levels: number): AsyncGenerator<FolderEntry> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    yield { path, isLink: entry.isSymbolicLink(), isFile: entry.isFile() };
    if (entry.isDirectory() && levels > 0) yield* entriesBelow(path, levels - 1);
  }
}
