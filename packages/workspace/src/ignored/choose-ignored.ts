import { posix } from 'node:path';

/** Something that git ignores and checks may need. */
export interface IgnoredPath {
  /** Relative to the checkout's top, without a slash at the end. */
  readonly path: string;
  /** `installed` by a package manager: large, the same for every session. `built` from the sources: may be written anew. */
  readonly kind: 'installed' | 'built';
  readonly type: 'file' | 'folder';
}

const installedFolders = new Set([
  'node_modules',
  '.venv',
  'venv',
  'vendor',
  'bower_components',
  '__pypackages__',
  '.yarn',
  '.pnpm-store',
  'elm-stuff',
]);
const installedInYarn = new Set(['cache', 'unplugged']);
const installedFiles = new Set(['.pnp.cjs', '.pnp.loader.mjs']);

const builtFolders = new Set([
  ...['dist', 'build', 'out', 'lib', 'esm', 'cjs', 'target', '_build'],
  ...['.next', '.nuxt', '.svelte-kit', '.output', 'generated', '__generated__', '.generated'],
]);
const builtPattern = /\.egg-info$/;

/** More than this many folders are not brought along: each is a mount of its own. */
const mostFolders = 100;

/**
 * Of what git ignores (as `git ls-files --directory` names it), what checks may need: what was installed and what was
 * built. Caches, reports and logs are left out, since whoever needs them makes them; so is everything of unknown
 * purpose, since ignored files are where secrets lie.
 */
export function chooseIgnored(ignored: readonly string[]): IgnoredPath[] {
  const chosen = ignored.flatMap((entry): IgnoredPath[] => {
    const path = entry.replace(/\/$/, '');
    const type = entry.endsWith('/') ? 'folder' : 'file';
    const kind = kindOf(path, type);
    return kind === undefined ? [] : [{ path, kind, type }];
  });
  const depth = ({ path }: IgnoredPath): number => path.split('/').length;
  const near = chosen.toSorted((a, b) => depth(a) - depth(b) || (a.path < b.path ? -1 : 1));
  return near.slice(0, mostFolders).sort((a, b) => (a.path < b.path ? -1 : 1));
}

function kindOf(path: string, type: IgnoredPath['type']): IgnoredPath['kind'] | undefined {
  const name = posix.basename(path);
  if (type === 'file') return installedFiles.has(name) ? 'installed' : undefined;
  const inYarn = posix.basename(posix.dirname(path)) === '.yarn' && installedInYarn.has(name);
  if (installedFolders.has(name) || inYarn) return 'installed';
  return builtFolders.has(name) || builtPattern.test(name) ? 'built' : undefined;
}
