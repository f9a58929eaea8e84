import { readFile } from 'node:fs/promises';
import type { Repository } from '../git/find-repository.ts';

/** Folders of dependencies, caches and build output, by name: nobody lists them in a folder without git. */
export const generatedFolders: readonly string[] = [
  'node_modules',
  'bower_components',
  '.venv',
  'venv',
  '__pycache__',
  '__pypackages__',
  '.tox',
  '.nox',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  'target',
  'dist',
  '.gradle',
  '.next',
  '.nuxt',
  '.turbo',
  '.cache',
  '.hg',
  '.svn',
  '.jj',
];

/**
 * Ignore rules for a folder that is no git checkout, weaker than its own .gitignore files: what is generated, and what is
 * mounted into it from elsewhere. None for a git checkout, which says itself what it ignores.
 */
export async function ignoredByDefault({ gitFolder, root }: Repository): Promise<string[]> {
  if (gitFolder !== undefined) return [];
  const mounts = (await mountsBelow(root)).map((path) => `/${path.replaceAll(/[\\*?[\] #!]/g, '\\$&')}/`);
  return [...generatedFolders.map((name) => `${name}/`), '*.pyc', '.DS_Store', ...mounts];
}

/** Where other file systems (a network share, a device) are mounted below a folder: paths relative to it. */
export async function mountsBelow(root: string, table = '/proc/self/mountinfo'): Promise<string[]> {
  const text = await readFile(table, 'utf8').catch(() => '');
  const places = text.split('\n').map((line) => plainText(line.split(' ')[4] ?? ''));
  return [...new Set(places.filter((place) => place.startsWith(`${root}/`)))].map((place) =>
    place.slice(root.length + 1),
  );
}

/** The kernel writes spaces, tabs, line ends and backslashes as three octal digits. */
function plainText(place: string): string {
  return place.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
