import { readdir } from 'node:fs/promises';
import { isSecretPath } from '../paths/classify-path.ts';
import { errorCode } from '../paths/error-code.ts';
import { openFileIn, readToEnd } from '../paths/open-file.ts';
import { type Folder, openFolderInside } from '../paths/open-folder.ts';
import type { Refusal } from '../paths/refusal.ts';
import { IgnoreRules } from './ignore-rules.ts';

/** An entry below the start of a walk. */
export interface Entry {
  /** Relative to the workspace. */
  readonly path: string;
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** The folder that holds it: open while the entry is looked at, closed afterwards. */
  readonly folder: Folder;
}

export interface WalkOptions {
  /** Levels below the start: 1 is its own entries. */
  readonly depth: number;
  /** Leave out what .gitignore files say. */
  readonly ignore: boolean;
}

interface RuleLevel {
  /** Folder of the .gitignore file, relative to the workspace, "" for its root. */
  readonly base: string;
  readonly rules: IgnoreRules;
}

const largestIgnoreFile = 256 * 1024;

/**
 * Walks a folder of the workspace in the order of names, folders before what they hold. Links are listed, never followed.
 * Left out: `.git`, secret files, and what .gitignore files leave out. `visit` returns false to end the walk.
 */
export async function walkFiles(
  root: string,
  start: string,
  options: WalkOptions,
  visit: (entry: Entry) => Promise<boolean>,
): Promise<{ readonly complete: boolean } | Refusal> {
  const levels = options.ignore ? await levelsAbove(root, start) : [];
  const folder = await openFolderInside(root, start);
  if ('failure' in folder) return folder;
  await using open = folder;
  return { complete: await walk(open, start === '.' ? '' : start, levels, options, visit) };
}

async function walk(
  folder: Folder,
  base: string,
  above: readonly RuleLevel[],
  options: WalkOptions,
  visit: (entry: Entry) => Promise<boolean>,
): Promise<boolean> {
  const levels = options.ignore ? [...above, ...(await readLevel(folder, base))] : above;
  for (const entry of await readdir(folder.here, { withFileTypes: true }).then(inOrder)) {
    const path = base === '' ? entry.name : `${base}/${entry.name}`;
    const isFolder = entry.isDirectory();
    if (entry.name === '.git' || isSecretPath(path) || isIgnored(levels, path, isFolder)) continue;
    const kind = isFolder ? 'folder' : entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'link' : 'other';
    if (!(await visit({ path, name: entry.name, kind, folder }))) return false;
    if (!isFolder || options.depth <= 1) continue;
    const child = await openChild(folder, entry.name);
    if (child === undefined) continue;
    await using open = child;
    if (!(await walk(open, path, levels, { ...options, depth: options.depth - 1 }, visit))) return false;
  }
  return true;
}

function inOrder<Named extends { name: string }>(entries: Named[]): Named[] {
  return entries.sort((first, second) => (first.name < second.name ? -1 : 1));
}

/** A folder that vanished or became a link since it was listed is left out; one that may not be opened too. */
async function openChild(folder: Folder, name: string): Promise<Folder | undefined> {
  try {
    return await folder.openChild(name);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** The nearest .gitignore that says anything about a path decides. */
function isIgnored(levels: readonly RuleLevel[], path: string, isFolder: boolean): boolean {
  for (const level of levels.toReversed()) {
    const decision = level.rules.decide(level.base === '' ? path : path.slice(level.base.length + 1), isFolder);
    if (decision !== undefined) return decision === 'ignored';
  }
  return false;
}

/** The rules of the folders above the start of a walk. */
async function levelsAbove(root: string, start: string): Promise<RuleLevel[]> {
  if (start === '.') return [];
  const segments = start.split('/');
  const levels: RuleLevel[] = [];
  for (let count = 0; count < segments.length; count += 1) {
    const base = segments.slice(0, count).join('/');
    const folder = await openFolderInside(root, base === '' ? '.' : base);
    if ('failure' in folder) return levels;
    await using open = folder;
    levels.push(...(await readLevel(open, base)));
  }
  return levels;
}

async function readLevel(folder: Folder, base: string): Promise<RuleLevel[]> {
  const file = await openFileIn(folder, '.gitignore', `${base}/.gitignore`);
  if ('failure' in file) return [];
  const bytes = await readToEnd(file, largestIgnoreFile);
  return bytes === undefined ? [] : [{ base, rules: new IgnoreRules(bytes.toString('utf8')) }];
}
