import { posix } from 'node:path';

/** Where a link of the repository leads. */
export interface LinkTarget {
  /** Relative to the root; may start with `..`, which leads out of the repository. */
  readonly path: string;
  /** Without its `#`; undefined when the link has none. */
  readonly anchor: string | undefined;
}

/** Where a link on a page leads; undefined for addresses of the web and of mail. */
export function linkTarget(page: string, link: string): LinkTarget | undefined {
  if (/^[a-z][a-z+.-]*:|^\/\//i.test(link)) return undefined;
  const [path = '', anchor] = link.split('#', 2);
  const target = path === '' ? page : posix.join(posix.dirname(page), decodeURIComponent(path));
  return { path: target.replace(/\/$/, ''), anchor };
}
