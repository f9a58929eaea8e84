import { sep } from 'node:path';

/** True if the real path is the real root or lies below it. Both must be absolute and resolved. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}
