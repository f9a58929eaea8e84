import { readdir, readFile } from 'node:fs/promises';
import { posix } from 'node:path';

const LEFT_OUT = new Set(['node_modules', 'dist', 'build', 'out', 'coverage', 'vendor', 'target']);
const DEEPEST = 4;
const MOST_FOLDERS = 1000;

/** The packages of a monorepo: their folders, relative to the root, by the names under which they are imported. */
export async function ownPackages(root: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  let level = [''];
  let left = MOST_FOLDERS;
  for (let depth = 0; depth <= DEEPEST && left > 0; depth += 1) {
    const next: string[] = [];
    for (const folder of level.slice(0, left)) {
      left -= 1;
      const entries = await readdir(posix.join(root, folder), { withFileTypes: true });
      if (entries.some((entry) => entry.isFile() && entry.name === 'package.json')) {
        const name = nameIn(await readFile(posix.join(root, folder, 'package.json'), 'utf8'));
        if (name !== undefined && !found.has(name)) found.set(name, folder);
      }
      const inner = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
      next.push(...inner.filter(({ name }) => !LEFT_OUT.has(name)).map(({ name }) => posix.join(folder, name)));
    }
    level = next.sort();
  }
  return found;
}

/** The folder of the package that an import names, e.g. "@shop/cart/total"; undefined for those of others. */
export function folderOfImport(name: string, packages: ReadonlyMap<string, string>): string | undefined {
  const parts = name.split('/');
  return packages.get(parts.slice(0, name.startsWith('@') ? 2 : 1).join('/'));
}

function nameIn(manifest: string): string | undefined {
  try {
    const { name } = Object(JSON.parse(manifest)) as { name?: unknown };
    return typeof name === 'string' && name !== '' ? name : undefined;
  } catch {
    return undefined;
  }
}
