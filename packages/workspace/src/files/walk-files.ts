import type { Dirent } from 'node:fs';
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
  /** Begin with this path, relative to the workspace, or what would come after it: how a walk that ended goes on. */
  readonly from?: string;
}

/** What comes after looking at an entry: false ends the walk, 'shallow' passes by what a folder holds. */
export type WalkStep = boolean | 'shallow';

interface RuleLevel {
  /** Folder of the .gitignore file, relative to the workspace, "" for its root. */
  readonly base: string;
  readonly rules: IgnoreRules;
}

const largestIgnoreFile = 256 * 1024;

/**
 * Walks a folder of the workspace in the order of names, folders before what they hold. Links are listed, never followed.
 * Left out: `.git`, secret files, and what .gitignore files leave out. `visit` says how to go on.
 */
export async function walkFiles(
  root: string,
  start: string,
  options: WalkOptions,
  visit: (entry: Entry) => Promise<WalkStep>,
): Promise<{ readonly complete: boolean } | Refusal> {
  const levels = options.ignore ? await levelsAbove(root, start) : [];
  const folder = await openFolderInside(root, start);
  if ('failure' in folder) return folder;
  await using open = folder;
  const base = start === '.' ? '' : start;
  const from = options.from === undefined ? [] : below(base, options.from);
  const place: Place = { folder: open, base, levels, depth: options.depth, from };
  return { complete: await walk(place, options.ignore, visit) };
}

/** One folder of a walk. */
interface Place {
  readonly folder: Folder;
  readonly base: string;
  /** Of the folders above. */
  readonly levels: readonly RuleLevel[];
  readonly depth: number;
  /** What is left of `from` here; empty when everything is wanted. */
  readonly from: readonly string[];
}

async function walk(
  { folder, base, levels: above, depth, from }: Place,
  ignore: boolean,
  visit: (entry: Entry) => Promise<WalkStep>,
): Promise<boolean> {
  const entries = inOrder(await readdir(folder.here, { withFileTypes: true }));
  const hasRules = ignore && entries.some((entry) => entry.name === '.gitignore');
  const levels = hasRules ? [...above, ...(await readLevel(folder, base))] : above;
  const [first, ...rest] = from;
  for (const entry of entries) {
    if (first !== undefined && entry.name < first) continue;
    const path = base === '' ? entry.name : `${base}/${entry.name}`;
    if (entry.name === '.git' || isSecretPath(path) || isIgnored(levels, path, entry.isDirectory())) continue;
    const isBegun = entry.name === first && rest.length > 0;
    const step = isBegun || (await visit({ path, name: entry.name, kind: kindOf(entry), folder }));
    if (step === false) return false;
    if (step === 'shallow' || !entry.isDirectory() || depth <= 1) continue;
    const child = await openChild(folder, entry.name);
    if (child === undefined) continue;
    await using open = child;
    const place = { folder: open, base: path, levels, depth: depth - 1, from: isBegun ? rest : [] };
    if (!(await walk(place, ignore, visit))) return false;
  }
  return true;
}

function kindOf(entry: Dirent): Entry['kind'] {
  if (entry.isDirectory()) return 'folder';
  if (entry.isFile()) return 'file';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

/** The segments of a path below a folder; none for a path that is not below it. */
function below(base: string, path: string): string[] {
  if (base === '') return path.split('/');
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1).split('/') : [];
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
