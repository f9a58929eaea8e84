import { readdir, readFile, stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { folderOfImport, ownPackages } from './own-packages.ts';
import { isModulePath, nodesIn, parseSource, type SourceFile } from './parse-source.ts';

/** The modules of a workspace as they are on disk. Paths are relative to the root, with "/". */
export interface WorkspaceModules {
  /** Modules that candidates may change. */
  readonly sources: readonly SourceFile[];
  /** Test files and their fixtures: copied, never changed. */
  readonly tests: readonly SourceFile[];
}

const LEFT_OUT = new Set(['node_modules', 'dist', 'build', 'out', 'coverage', 'vendor', 'target']);
const MAX_MODULES = 2000;
const MAX_BYTES = 300_000;
const TEST_FOLDER = /(^|\/)(test|tests|__tests__|spec|specs|fixtures?|__mocks__)\//;
const TEST_NAME = /(^|\/)(test|test-[^/]*|[^/]*[._-](test|spec))\.[cm]?[jt]sx?$/;
const GENERATED = /@generated|auto-?generated|do not edit/i;

/**
 * Reads and parses the modules below `root` that tests can reach: all of them in a small repository, otherwise those
 * that test files import, directly or not. Symbolic links are not followed.
 */
export async function readWorkspace(root: string): Promise<WorkspaceModules> {
  const paths = await listModules(root, '');
  const files: SourceFile[] = [];
  for (const path of paths.sort()) {
    const text = await readFile(posix.join(root, path), 'utf8');
    const file = parseSource(path, text);
    if (file !== undefined) files.push(file);
  }
  const tests = files.filter(isTestModule);
  const reachable = files.length <= 150 ? files : reachableFrom(tests, files, await ownPackages(root));
  return { sources: reachable.filter((file) => !isTestModule(file) && !isGenerated(file)), tests };
}

async function listModules(root: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(posix.join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (found.length >= MAX_MODULES || entry.name.startsWith('.')) continue;
    if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) found.push(...(await listModules(root, path)));
    else if (entry.isFile() && isModulePath(path) && (await sizeOf(posix.join(root, path))) <= MAX_BYTES) {
      found.push(path);
    }
  }
  return found;
}

/** Bytes; beyond every limit for what cannot be asked for (a name that is not UTF-8). */
async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => Number.POSITIVE_INFINITY,
  );
}

function isTestModule(file: SourceFile): boolean {
  return TEST_NAME.test(file.path) || TEST_FOLDER.test(file.path) || importsOf(file).some(isTestPackage);
}

function isTestPackage(name: string): boolean {
  return /^(node:test|vitest|@jest\/globals|mocha)$/.test(name);
}

function isGenerated(file: SourceFile): boolean {
  return /\.min\.[cm]?js$/.test(file.path) || GENERATED.test(file.text.slice(0, 500)) || /^.{5000}/m.test(file.text);
}

/** What a module imports or requires under literal names. */
function importsOf(file: SourceFile): string[] {
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

/** Paths of the sources that test files import, directly or not, by literal relative names. */
export function importedByTests({ sources, tests }: WorkspaceModules): ReadonlySet<string> {
  return new Set(reachableFrom(tests, [...tests, ...sources]).map((file) => file.path));
}

/** `packages` are those of a monorepo: of one that is imported by its name, every module counts. */
function reachableFrom(
  tests: readonly SourceFile[],
  files: readonly SourceFile[],
  packages: ReadonlyMap<string, string> = new Map(),
): SourceFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const seen = new Set<SourceFile>(tests);
  for (const file of seen) {
    for (const name of importsOf(file)) {
      if (name.startsWith('.')) {
        const target = resolveModule(posix.join(posix.dirname(file.path), name), byPath);
        if (target !== undefined) seen.add(target);
        continue;
      }
      const folder = folderOfImport(name, packages);
      if (folder === undefined || folder === '') continue;
      for (const own of files) if (own.path.startsWith(`${folder}/`)) seen.add(own);
    }
  }
  return [...seen];
}

function resolveModule(path: string, byPath: ReadonlyMap<string, SourceFile>): SourceFile | undefined {
  const stem = path.replace(/\.[cm]?js$/, '');
  const names = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.jsx', '.tsx'];
  const candidates = [path, ...names.flatMap((extension) => [stem + extension, `${path}/index${extension}`])];
  return candidates.map((candidate) => byPath.get(candidate)).find((file) => file !== undefined);
}
