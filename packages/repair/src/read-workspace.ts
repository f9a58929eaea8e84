import { readdir, readFile, stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { ownPackages } from './own-packages.ts';
import { isModulePath, parseSource, type SourceFile } from './parse-source.ts';
import { importedModules, importsOf, reachableModules } from './reachable-modules.ts';

/** The modules of a workspace as they are on disk. Paths are relative to the root, with "/". */
export interface WorkspaceModules {
  /** Modules that candidates may change. */
  readonly sources: readonly SourceFile[];
  /** Test files and their fixtures: copied, never changed. */
  readonly tests: readonly SourceFile[];
  /** Modules that tests reach and that were not read, because they are too many. */
  readonly unread: number;
}

const LEFT_OUT = new Set(['node_modules', 'dist', 'build', 'out', 'coverage', 'vendor', 'target']);
/** Up to here every module is read, reached or not: tests can start processes that nobody imports. */
const SMALL = 150;
/** Modules of each kind, tests and sources, that are kept in memory with their syntax trees: about 100 kB each. */
const MOST_OF_A_KIND = 2000;
/** Larger modules are left out. Bytes. */
const MAX_BYTES = 300_000;
const TEST_FOLDER = /(^|\/)(test|tests|__tests__|spec|specs|fixtures?|__mocks__)\//;
const TEST_NAME = /(^|\/)(test|test-[^/]*|[^/]*[._-](test|spec))\.[cm]?[jt]sx?$/;
const TEST_PACKAGE = /^(node:test|vitest|@jest\/globals|mocha)$/;
const NAMES_TEST_PACKAGE = /["'](node:test|vitest|@jest\/globals|mocha)["']/;
const GENERATED = /@generated|auto-?generated|do not edit/i;

/**
 * Reads and parses the modules below `root` that tests can reach: all of them in a small repository, otherwise those
 * that test files import, directly or not, the nearest first. Symbolic links are not followed.
 */
export async function readWorkspace(root: string): Promise<WorkspaceModules> {
  const paths = (await listModules(root, '')).sort();
  const small = paths.length <= SMALL;
  const reader = new ModuleReader(root);
  const starts = small ? paths : await testsAmong(root, paths);
  const places = { paths: new Set(paths), packages: small ? new Map<string, string>() : await ownPackages(root) };
  const found = await reachableModules(starts, places, (path) => reader.read(path));
  const sources = found.filter((file) => !isTestModule(file) && !isGenerated(file));
  return { sources: sources.sort(byPath), tests: found.filter(isTestModule).sort(byPath), unread: reader.unread };
}

/** Reads modules until there are enough of their kind, and counts those that it did not read. */
class ModuleReader {
  readonly #root: string;
  readonly #counts = { test: 0, source: 0 };
  unread = 0;

  constructor(root: string) {
    this.#root = root;
  }

  async read(path: string): Promise<SourceFile | undefined> {
    const kind = isTestPath(path) ? 'test' : 'source';
    if (this.#counts[kind] >= MOST_OF_A_KIND) {
      this.unread += 1;
      return undefined;
    }
    const file = parseSource(path, await readFile(posix.join(this.#root, path), 'utf8'));
    if (file !== undefined) this.#counts[kind] += 1;
    return file;
  }
}

function byPath(one: SourceFile, other: SourceFile): number {
  return one.path < other.path ? -1 : 1;
}

async function listModules(root: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(posix.join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.name.startsWith('.')) continue;
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

/** Modules that are tests by their name, or because they speak of a test package. */
async function testsAmong(root: string, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    if (isTestPath(path) || NAMES_TEST_PACKAGE.test(await readFile(posix.join(root, path), 'utf8'))) found.push(path);
  }
  return found;
}

function isTestPath(path: string): boolean {
  return TEST_NAME.test(path) || TEST_FOLDER.test(path);
}

function isTestModule(file: SourceFile): boolean {
  return isTestPath(file.path) || importsOf(file).some((name) => TEST_PACKAGE.test(name));
}

function isGenerated(file: SourceFile): boolean {
  return /\.min\.[cm]?js$/.test(file.path) || GENERATED.test(file.text.slice(0, 500)) || /^.{5000}/m.test(file.text);
}

/** Paths of all modules that were read. */
export function modulePaths({ sources, tests }: WorkspaceModules): string[] {
  return [...tests, ...sources].map(({ path }) => path);
}

/** Paths of the modules that test files import, directly or not, by literal relative names; their own included. */
export function importedByTests({ sources, tests }: WorkspaceModules): ReadonlySet<string> {
  const files = new Map([...tests, ...sources].map((file) => [file.path, file]));
  const places = { paths: new Set(files.keys()), packages: new Map<string, string>() };
  const reached = new Set(tests.map(({ path }) => path));
  for (const path of reached) {
    const file = files.get(path);
    if (file !== undefined) for (const next of importedModules(file, places)) reached.add(next);
  }
  return reached;
}
