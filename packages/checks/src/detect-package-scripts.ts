import type { Check, Framework } from '@capstan/contracts';
import { expandPatterns } from './expand-patterns.ts';
import {
  type PackageManager,
  type PackageManifest,
  packageManagerOf,
  readPackageManifest,
} from './package-manifest.ts';
import { parseScript } from './parse-script.ts';
import { directRunner } from './recognise-runner.ts';
import type { RepositoryReader } from './repository-reader.ts';
import { resolveScript, usesNodeTest } from './resolve-script.ts';

const PLACEHOLDER = /no test specified/i;
const KINDS: readonly (readonly [RegExp, Check['kind']])[] = [
  [/^build$/, 'build'],
  [/^lint$/, 'lint'],
  [/^(typecheck|type-check|check-types|check:types|types|tsc)$/, 'lint'],
];

/**
 * Checks of a JavaScript repository or of a package in it: its scripts, else what its dependencies or test files give
 * away. `inherited` is the package manager of the repository that a package lies in.
 */
export async function detectPackageScripts(
  reader: RepositoryReader,
  inherited: PackageManager = 'npm',
): Promise<Check[]> {
  const manifest = await readPackageManifest(reader);
  const manager = (await packageManagerOf(reader)) ?? inherited;
  const checks: Check[] = [];
  for (const name of testScripts(manifest)) checks.push(await testCheck(reader, manifest, manager, name));
  if (checks.length === 0) checks.push(...(await withoutScript(reader, manifest)));
  for (const name of Object.keys(manifest?.scripts ?? {})) {
    const kind = KINDS.find(([pattern]) => pattern.test(name))?.[1];
    if (kind !== undefined) checks.push(scriptCheck(manager, name, kind, 'other'));
  }
  return checks;
}

/** `test` where there is one, else every `test:...`; the placeholder of `npm init` is no test. */
function testScripts(manifest: PackageManifest | undefined): string[] {
  const real = Object.entries(manifest?.scripts ?? {}).filter(([, script]) => !PLACEHOLDER.test(script));
  const names = real.map(([name]) => name);
  return names.includes('test') ? ['test'] : names.filter((name) => /^(test:|unit$)/.test(name) && !/watch/.test(name));
}

async function testCheck(
  reader: RepositoryReader,
  manifest: PackageManifest | undefined,
  manager: PackageManager,
  name: string,
): Promise<Check> {
  const resolved = manifest === undefined ? undefined : await resolveScript(reader, manifest, name);
  if (resolved === undefined) return await unresolvedCheck(reader, manifest, manager, name);
  const { runner, appendable } = resolved;
  const check = scriptCheck(manager, name, 'test', runner.framework);
  return {
    ...check,
    // What a shell or borp would expand: a Node before 21 would not.
    directArgv: runner.framework === 'node-test' ? await expandPatterns(reader, runner.argv) : [...runner.argv],
    ...(Object.keys(runner.environment).length > 0 ? { directEnvironment: { ...runner.environment } } : {}),
    ...(appendable ? { appendableArgv: appendableArgv(check, manager, name) } : {}),
  };
}

/** `pnpm test --flag` takes the flag for one of its own; `pnpm run test --flag` gives it to the script. */
function appendableArgv(check: Check, manager: PackageManager, name: string): string[] {
  if (manager === 'npm') return [...check.argv, '--'];
  return manager === 'pnpm' ? ['pnpm', 'run', name] : [...check.argv];
}

/**
 * A script that calls no runner known by name: its tests give away how they can be run one by one. Only `test` is taken
 * to stand for all test files: `test:size` or `test:types` would be something else.
 */
async function unresolvedCheck(
  reader: RepositoryReader,
  manifest: PackageManifest | undefined,
  manager: PackageManager,
  name: string,
): Promise<Check> {
  if (name === 'test' && (await findNodeTestFile(reader, '.', 3)) !== undefined) {
    const named = namedTestFiles(manifest?.scripts[name] ?? '');
    const directArgv = ['node', '--test', ...(await expandPatterns(reader, named))];
    return { ...scriptCheck(manager, name, 'test', 'node-test'), directArgv };
  }
  const framework = dependencyFramework(manifest);
  const check = scriptCheck(manager, name, 'test', framework ?? 'other');
  return framework === undefined ? check : { ...check, directArgv: [...directRunner(framework)] };
}

/** Globs and test files that a script gives to its runner, whichever that is: `node --test` alone would find others. */
function namedTestFiles(script: string): string[] {
  const words = parseScript(script).flatMap((command) => command.words.slice(1));
  const files = words.filter(
    (word) => !/^[-!]/.test(word) && (/\*.*\.[cm]?[jt]s\b/.test(word) || TEST_FILE.test(word)),
  );
  return [...new Set(files)];
}

function scriptCheck(manager: PackageManager, name: string, kind: Check['kind'], framework: Framework): Check {
  return {
    id: `${manager}:${name}`,
    kind,
    framework,
    argv: name === 'test' ? [manager, 'test'] : [manager, 'run', name],
    directory: '.',
    source: `package.json scripts.${name}`,
  };
}

function dependencyFramework(manifest: PackageManifest | undefined): 'vitest' | 'jest' | 'mocha' | undefined {
  return (['vitest', 'jest', 'mocha'] as const).find((framework) => manifest?.dependencies.has(framework));
}

async function withoutScript(reader: RepositoryReader, manifest: PackageManifest | undefined): Promise<Check[]> {
  const framework = dependencyFramework(manifest);
  if (framework !== undefined) {
    const argv = [...directRunner(framework)];
    const source = `package.json dependency ${framework}`;
    const runner: Check = { id: framework, kind: 'test', framework, argv, directArgv: argv, directory: '.', source };
    return [{ ...runner, appendableArgv: argv }];
  }
  const file = await findNodeTestFile(reader, '.', 3);
  if (file === undefined) return [];
  const argv = ['node', '--test'];
  return [
    { id: 'node:test', kind: 'test', framework: 'node-test', argv, directArgv: argv, directory: '.', source: file },
  ];
}

/** A repository where the first hundred test files do not use node:test does not use it. */
const MAX_READ = 100;
const TEST_FILE = /(^test|[._-]test)\.[cm]?[jt]s$/;

/** The first file that `node --test` would find and that uses node:test, `depth` folders deep at most. */
async function findNodeTestFile(
  reader: RepositoryReader,
  folder: string,
  depth: number,
  left = { files: MAX_READ },
): Promise<string | undefined> {
  const names = (await reader.list(folder)).filter((name) => !name.startsWith('.') && name !== 'node_modules/');
  const inTestFolder = /(^|\/)test$/.test(folder);
  for (const name of names.filter((candidate) => !candidate.endsWith('/')).toSorted()) {
    if (!TEST_FILE.test(name) && !(inTestFolder && /\.[cm]?[jt]s$/.test(name))) continue;
    const path = folder === '.' ? name : `${folder}/${name}`;
    left.files -= 1;
    if (left.files < 0) return undefined;
    if (usesNodeTest((await reader.readText(path)) ?? '')) return path;
  }
  for (const name of names.filter((candidate) => candidate.endsWith('/')).toSorted()) {
    if (depth === 0) break;
    const inner = folder === '.' ? name.slice(0, -1) : `${folder}/${name.slice(0, -1)}`;
    const found = await findNodeTestFile(reader, inner, depth - 1, left);
    if (found !== undefined) return found;
  }
  return undefined;
}
