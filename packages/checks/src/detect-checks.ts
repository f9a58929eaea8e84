import { posix } from 'node:path';
import type { Check } from '@capstan/contracts';
import { detectNative } from './detect-native.ts';
import { detectPackageScripts } from './detect-package-scripts.ts';
import { type PackageManager, packageManagerOf, readPackageManifest } from './package-manifest.ts';
import { coveredBy, ecosystemOf } from './packages/covered-by.ts';
import { declaredWorkspaces } from './packages/declared-workspaces.ts';
import { findPackages } from './packages/find-packages.ts';
import { packageReader } from './packages/package-reader.ts';
import type { RepositoryReader } from './repository-reader.ts';

/**
 * The checks that a repository brings along (requirement A4): those of its root, and those of the packages in it, with
 * "@" and the package's folder behind their ids; tests first. The table of what is recognised stands in the README of
 * the exec server. Makefile targets count only where nothing else tests.
 */
export async function detectChecks(reader: RepositoryReader): Promise<Check[]> {
  const root = await detectIn(reader);
  const declared = await declaredWorkspaces(reader);
  const manager = (await packageManagerOf(reader)) ?? 'npm';
  const facts = {
    cargoWorkspace: /^\s*\[workspace[\].]/m.test((await reader.readText('Cargo.toml')) ?? ''),
    hoists: declared.length > 0 && manager !== 'pnpm',
  };
  const packages: Check[] = [];
  for (const folder of await findPackages(reader, declared)) {
    packages.push(...(await detectInPackage(reader, folder, manager, facts.hoists)));
  }
  const own = withoutFallback(root, packages);
  const linked = packages
    .filter((check) => !isFallback(check) || !own.some((one) => isTest(one) && sameLanguage(one, check)))
    .map((check) => {
      const covering = isTest(check) ? coveredBy(check, own, facts) : undefined;
      return covering === undefined ? check : { ...check, coveredBy: covering };
    });
  return [...own, ...linked].toSorted((a, b) => Number(isTest(b)) - Number(isTest(a)));
}

async function detectIn(reader: RepositoryReader, manager?: PackageManager): Promise<Check[]> {
  const found = [...(await detectPackageScripts(reader, manager)), ...(await detectNative(reader))];
  const tested = found.some((check) => isTest(check) && check.framework !== 'make');
  return tested ? found.filter((check) => check.framework !== 'make') : found;
}

async function detectInPackage(
  reader: RepositoryReader,
  folder: string,
  manager: PackageManager,
  hoists: boolean,
): Promise<Check[]> {
  const own = packageReader(reader, folder);
  const name = (await readPackageManifest(own))?.name ?? folder;
  const up = posix.relative(folder, '.');
  const argv = (words: readonly string[]): string[] =>
    words.map((word) => (hoists && word.startsWith('node_modules/') ? `${up}/${word}` : word));
  return (await detectIn(own, manager)).map((check) => ({
    ...check,
    id: `${check.id}@${folder}`,
    directory: folder,
    package: name,
    source: `${folder}/${check.source}`,
    argv: argv(check.argv),
    ...(check.directArgv === undefined ? {} : { directArgv: argv(check.directArgv) }),
    ...(check.appendableArgv === undefined ? {} : { appendableArgv: argv(check.appendableArgv) }),
  }));
}

/** What a test file gave away in the root is given up where the file lies in a package that says itself how to run it. */
function withoutFallback(root: readonly Check[], packages: readonly Check[]): Check[] {
  const said = packages.filter((check) => isTest(check) && !isFallback(check));
  const isSaid = ({ source }: Check): boolean => said.some(({ directory }) => source.startsWith(`${directory}/`));
  return root.filter((check) => !isFallback(check) || !isSaid(check));
}

const isTest = ({ kind }: Check): boolean => kind === 'test';
const isFallback = ({ id }: Check): boolean => id === 'node:test' || id.startsWith('node:test@');
const sameLanguage = (one: Check, other: Check): boolean => ecosystemOf(one) === ecosystemOf(other);
