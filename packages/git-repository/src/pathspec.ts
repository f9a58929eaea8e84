import { isUtf8 } from 'node:buffer';
import { checkRelativePath, type Refusal } from '@capstan/workspace';

/** A pathspec that means exactly this path (and what lies below it), whatever characters it has. */
export function literalPath(path: string): string {
  return `:(top,literal)${path}`;
}

/** Paths of a call as pathspecs that mean exactly these paths; a path that leads out is refused. */
export function checkPaths(paths: readonly string[]): { readonly specs: readonly string[] } | Refusal {
  const specs: string[] = [];
  for (const given of paths) {
    const checked = checkRelativePath(given);
    if ('failure' in checked) return checked;
    specs.push(checked.path === '.' ? ':(top)' : literalPath(checked.path));
  }
  return { specs };
}

/**
 * A pathspec that leaves one path out. The path is as git gave it, Latin-1 text; arguments of a process are UTF-8, so other
 * bytes become wildcards for one byte.
 */
export function excludePath(path: string): string {
  const bytes = Buffer.from(path, 'latin1');
  if (isUtf8(bytes)) return `:(top,exclude,literal)${bytes.toString('utf8')}`;
  return `:(top,exclude,glob)${path.replace(/[\\*?[\]]/g, '\\$&').replace(/[\x80-\xff]/g, '?')}`;
}

/** Paths as git reads them from standard input with `-z`. */
export function pathBytes(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
}
