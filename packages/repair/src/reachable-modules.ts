import { posix } from 'node:path';
import { folderOfImport } from './own-packages.ts';
import { nodesIn, type SourceFile } from './parse-source.ts';

/** Where the modules of a workspace lie, and the packages of a monorepo: folders by name. */
export interface ModulePlaces {
  readonly paths: ReadonlySet<string>;
  readonly packages: ReadonlyMap<string, string>;
}

/** Paths of the workspace's own modules that a module imports. Of a package that is imported by its name, every module counts. */
export function importedModules(file: SourceFile, { paths, packages }: ModulePlaces): string[] {
  return importsOf(file).flatMap((name) => {
    if (name.startsWith('.')) return resolveModule(posix.join(posix.dirname(file.path), name), paths) ?? [];
    const folder = folderOfImport(name, packages);
    if (folder === undefined || folder === '') return [];
    return [...paths].filter((path) => path.startsWith(`${folder}/`));
  });
}

/**
 * Follows imports from some modules on, nearest first; these come first in the answer. `read` may give up on a module:
 * then it counts as none.
 */
export async function reachableModules(
  starts: readonly string[],
  places: ModulePlaces,
  read: (path: string) => Promise<SourceFile | undefined>,
): Promise<SourceFile[]> {
  const seen = new Set(starts);
  const found: SourceFile[] = [];
  for (const path of seen) {
    const file = await read(path);
    if (file === undefined) continue;
    found.push(file);
    for (const next of importedModules(file, places)) seen.add(next);
  }
  return found;
}

/** What a module imports or requires under literal names. */
export function importsOf(file: SourceFile): string[] {
  const names: string[] = [];
  for (const node of nodesIn(file.program)) {
    const source = /^(Import|ExportNamed|ExportAll)(Declaration|Expression)$/.test(node.type) ? node.source : undefined;
    const required = isRequire(node) ? (node.arguments as { value?: unknown }[])[0] : undefined;
    const value = ((source ?? required) as { value?: unknown } | null | undefined)?.value;
    if (typeof value === 'string') names.push(value);
  }
  return names;
}

function isRequire(node: { type: string; [key: string]: unknown }): boolean {
  return node.type === 'CallExpression' && (node.callee as { name?: unknown }).name === 'require';
}

function resolveModule(path: string, paths: ReadonlySet<string>): string | undefined {
  const stem = path.replace(/\.[cm]?js$/, '');
  const names = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.jsx', '.tsx'];
  const candidates = [path, ...names.flatMap((extension) => [stem + extension, `${path}/index${extension}`])];
  return candidates.find((candidate) => paths.has(candidate));
}
