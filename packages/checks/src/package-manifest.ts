import { parseJson } from '@capstan/contracts';
import { z } from 'zod';
import type { RepositoryReader } from './repository-reader.ts';

/** What detection needs of a package.json; parts of the wrong type read as absent. */
export interface PackageManifest {
  readonly name: string | undefined;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: ReadonlySet<string>;
}

const Names = z.record(z.string(), z.unknown()).catch({});
const Manifest = z.looseObject({
  name: z.string().optional().catch(undefined),
  scripts: Names,
  dependencies: Names,
  devDependencies: Names,
});

/** Reads the package.json of the root; `undefined` if there is none or it is not JSON. */
export async function readPackageManifest(reader: RepositoryReader): Promise<PackageManifest | undefined> {
  const parsed = Manifest.safeParse(parseJson(await reader.readText('package.json')));
  if (!parsed.success) return undefined;
  const { name, scripts, dependencies, devDependencies } = parsed.data;
  const entries = Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return {
    name,
    scripts: Object.fromEntries(entries),
    dependencies: new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)]),
  };
}

export type PackageManager = 'npm' | 'pnpm' | 'yarn';

/** The package manager whose lock file lies in the root; undefined where none does. */
export async function packageManagerOf(reader: RepositoryReader): Promise<PackageManager | undefined> {
  const names = await reader.list('.');
  if (names.includes('pnpm-lock.yaml')) return 'pnpm';
  if (names.includes('package-lock.json')) return 'npm';
  return names.includes('yarn.lock') ? 'yarn' : undefined;
}
