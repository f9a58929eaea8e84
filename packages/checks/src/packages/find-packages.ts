import { posix } from 'node:path';
import type { RepositoryReader } from '../repository-reader.ts';

const markers = new Set([
  'package.json',
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'pytest.ini',
  'Cargo.toml',
  'go.mod',
]);

/** Folders whose manifests are dependencies, products or test data, not packages of the repository. */
const skipped = new Set([
  ...['node_modules', 'vendor', 'third_party', 'bower_components', 'venv', '__pycache__', '__pypackages__'],
  ...['dist', 'build', 'out', 'target', 'coverage', 'tmp'],
  ...['test', 'tests', '__tests__', 'spec', 'testdata', 'fixtures', '__fixtures__', 'snapshots'],
  ...['template', 'templates', 'example', 'examples', 'demo', 'demos', 'docs'],
]);

const deepest = 4;
const mostFolders = 1000;
/** More packages than these are not looked for; the nearest to the root come first. */
const mostPackages = 50;

/**
 * Folders of a repository, without its root, that hold a manifest of their own, the nearest first. Where the root
 * declares workspaces, their folders are looked into whatever they are called.
 */
export async function findPackages(reader: RepositoryReader, declared: readonly string[] = []): Promise<string[]> {
  const found: string[] = [];
  let level: string[] = await foldersIn(reader, '.', declared);
  let left = mostFolders;
  for (let depth = 1; depth <= deepest && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const folder of level) {
      left -= 1;
      if (left < 0 || found.length === mostPackages) return found;
      const names = await reader.list(folder);
      if (names.some((name) => markers.has(name))) found.push(folder);
      next.push(...(await foldersIn(reader, folder, declared, names)));
    }
    level = next.sort();
  }
  return found;
}

async function foldersIn(
  reader: RepositoryReader,
  folder: string,
  declared: readonly string[],
  known?: readonly string[],
): Promise<string[]> {
  const names = known ?? (await reader.list(folder));
  return names
    .filter((name) => name.endsWith('/') && !name.startsWith('.') && name !== 'node_modules/')
    .map((name) => posix.join(folder, name.slice(0, -1)))
    .filter((path) => !skipped.has(posix.basename(path)) || declared.some((pattern) => isOnTheWay(path, pattern)))
    .sort();
}

/** Whether a folder is one that a pattern of workspaces names, or lies above such ones. */
function isOnTheWay(path: string, pattern: string): boolean {
  const parts = posix.normalize(pattern).split('/');
  return path.split('/').every((name, index) => {
    const part = parts[index];
    return part === name || part === '*' || parts.slice(0, index + 1).includes('**');
  });
}
