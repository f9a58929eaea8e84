import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSecretPath } from '@capstan/workspace';
import { isContentKey, textArguments } from './text-arguments.ts';

export interface RuleBreak {
  readonly rule: string;
  readonly message: string;
}

const pathWord =
  /(^|[_\-.])(paths?|files?|file_?names?|dirs?|director(y|ies)|folders?|cwd|root|workdir|路径|文件|目录)$/iu;
const camelPathWord = /[a-z0-9](Paths?|Files?|Dirs?|Director(y|ies)|Folders?|FileNames?)$/u;
/** What no other argument than a path looks like, whatever its name. */
const climbs = /^~|(^|[/\\])\.\.([/\\]|$)|^file:/iu;

/** True for names under which a path is passed. */
export function isPathKey(key: string): boolean {
  return pathWord.test(key) || camelPathWord.test(key);
}

/** The first argument of a call that breaks a rule about paths (requirement T3), looked at before anything is sent. */
export async function findPathBreak(
  input: Readonly<Record<string, unknown>>,
  roots: readonly string[],
): Promise<RuleBreak | undefined> {
  for (const { key, value } of textArguments(input)) {
    if (isContentKey(key) || !(isPathKey(key) || looksLikePath(value))) continue;
    const found = await pathBreak(value, roots);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Judges one path. `roots` are absolute; relative paths start at the first one. */
export async function pathBreak(value: string, roots: readonly string[]): Promise<RuleBreak | undefined> {
  const shown = JSON.stringify(value.slice(0, 200));
  if (value.includes('\0')) return { rule: 'path-nul', message: `${shown} holds a NUL byte.` };
  if (value.startsWith('~'))
    return { rule: 'path-home', message: `${shown} is in a home folder, outside of the workspace.` };
  const path = toPath(value);
  if (path === undefined) return { rule: 'path-outside', message: `${shown} is not a path in the workspace.` };
  const home = roots[0] ?? '/';
  const full = isAbsolute(path) ? resolve(path) : resolve(home, path);
  const root = roots.find((candidate) => isInside(candidate, full));
  if (root === undefined) return { rule: 'path-outside', message: `${shown} is outside of the workspace.` };
  if (isSecretPath(relative(root, full)))
    return { rule: 'path-secret', message: `${shown} is a secret or a git control file.` };
  const real = await realOf(full);
  const realRoot = await realOf(root);
  if (!isInside(realRoot, real))
    return { rule: 'path-symlink', message: `${shown} leads out of the workspace through a link.` };
  if (isSecretPath(relative(realRoot, real)))
    return { rule: 'path-secret', message: `${shown} leads to a secret or a git control file.` };
  return undefined;
}

/** Backslashes count as separators, because a server on another system would read them so. */
export function toPath(value: string): string | undefined {
  if (!/^file:/iu.test(value)) return value.replaceAll('\\', '/');
  const url = URL.parse(value);
  return url === null || url.host !== '' ? undefined : fileURLToPath(url);
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** A climb, or the name of a secret; text with spaces in it is taken for text. */
function looksLikePath(value: string): boolean {
  if (value.length > 4_096 || /\s/u.test(value)) return false;
  return climbs.test(value) || (/[/\\]|^\./u.test(value) && isSecretPath(value.replaceAll('\\', '/')));
}

/** Real path of the longest part that exists, with the rest appended. */
export async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realOf(parent), basename(path));
  }
}
