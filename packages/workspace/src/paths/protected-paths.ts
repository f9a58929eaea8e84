import { compileGlob } from '../files/glob.ts';
import { foldPath } from './fold-path.ts';

/**
 * A test for paths that configuration protects: true for what one of the patterns matches, and for everything below it.
 * Paths that a forgiving file system would take for the same one count as the same.
 */
export function protectedPaths(patterns: readonly string[]): (path: string) => boolean {
  const matchers = patterns.flatMap((pattern) => {
    const plain = pattern.replace(/\/+$/, '');
    return [compileGlob(plain), compileGlob(foldSlashes(plain))];
  });
  return (path) =>
    [...ancestors(path.split('/')), ...ancestors(foldPath(path))].some((part) =>
      matchers.some((matches) => matches(part)),
    );
}

/** Folded segment by segment, with a leading slash kept: it says that the pattern starts at the top. */
function foldSlashes(pattern: string): string {
  return `${pattern.startsWith('/') ? '/' : ''}${foldPath(pattern).join('/')}`;
}

/** "a", "a/b" and "a/b/c" for "a/b/c". */
function ancestors(segments: readonly string[]): string[] {
  const named = segments.filter((segment) => segment !== '' && segment !== '.');
  return named.map((_, index) => named.slice(0, index + 1).join('/'));
}
