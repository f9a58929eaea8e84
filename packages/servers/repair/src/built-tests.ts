import { posix } from 'node:path';
import { packageReader, type RepositoryReader } from '@capstan/checks';
import { type Check, parseJson } from '@capstan/contracts';
import type { WorkspaceModules } from '@capstan/repair';

const GENERATED = ['dist', 'build', 'out', 'target'];
const IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"]([^'"\n]+)['"]/g;
const EXTENSION = /\.[cm]?[jt]sx?$/;

/**
 * Whether the tests of a check run what a build made, so that a change of sources alone never reaches them: they lie in
 * a generated folder, or no test imports a source and some import a generated file or the package's built entry.
 */
export async function runsBuiltFiles(
  check: Check,
  modules: WorkspaceModules,
  reader: RepositoryReader,
): Promise<boolean> {
  const own = packageReader(reader, check.directory);
  const ignores = await Promise.all([reader.readText('.gitignore'), own.readText('.gitignore')]);
  const generated = new Set([...GENERATED, ...ignores.flatMap((text) => ignoredNames(text ?? ''))]);
  const isGenerated = (path: string): boolean => generated.has(posix.normalize(path).split('/')[0] ?? '');
  const inPackage = (path: string): string => posix.relative(check.directory, path);
  const paths = (check.directArgv ?? []).slice(1).filter(isPath);
  if (paths.length > 0 && paths.every(isGenerated)) return true;
  const isBuiltEntry = await builtEntry(own, isGenerated);
  const stems = new Set(modules.sources.map(({ path }) => path.replace(EXTENSION, '')));
  let built = false;
  for (const { path, text } of modules.tests.filter(({ path }) => !inPackage(path).startsWith('../'))) {
    for (const [, name = ''] of text.matchAll(IMPORT)) {
      const target = name.startsWith('.') ? posix.join(posix.dirname(path), name) : undefined;
      const stem = target?.replace(EXTENSION, '');
      if (stem !== undefined && (stems.has(stem) || stems.has(`${stem}/index`))) return false;
      built ||= target === undefined ? isBuiltEntry(name) : isGenerated(inPackage(target));
    }
  }
  return built;
}

function isPath(word: string): boolean {
  return !word.startsWith('-') && (/[/*]/.test(word) || EXTENSION.test(word) || GENERATED.includes(word));
}

/** Plain names of a .gitignore: patterns are not looked into. */
function ignoredNames(text: string): string[] {
  return text.split('\n').flatMap((line) => /^\/?([\w.-]+)\/?$/.exec(line.trim())?.[1] ?? []);
}

/** Recognises imports of the package by its own name, where all its entries are generated files. */
async function builtEntry(
  reader: RepositoryReader,
  isGenerated: (path: string) => boolean,
): Promise<(name: string) => boolean> {
  const { name, main, exports } = Object(parseJson(await reader.readText('package.json'))) as Record<string, unknown>;
  const entries = stringsIn([exports ?? main]).filter((entry) => EXTENSION.test(entry));
  if (typeof name !== 'string' || entries.length === 0 || !entries.every(isGenerated)) return () => false;
  return (imported) => imported === name || imported.startsWith(`${name}/`);
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(stringsIn) : [];
}
