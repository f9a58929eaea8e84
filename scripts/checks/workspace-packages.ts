import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const Manifest = z.object({
  name: z.string(),
  workspaces: z.array(z.string()).optional(),
  capstan: z.object({ floor: z.number().int().nonnegative() }).optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
});

export interface SourceFile {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly text: string;
  readonly isTest: boolean;
}

export interface WorkspacePackage {
  readonly name: string;
  /** Relative to the root of the repository. */
  readonly folder: string;
  readonly floor: number | undefined;
  readonly dependencies: ReadonlySet<string>;
  /** What its tests may import besides: its own development dependencies and all of the repository's. */
  readonly testDependencies: ReadonlySet<string>;
  readonly isServer: boolean;
  readonly files: readonly SourceFile[];
}

/** Tests and what only tests use: fakes, fixtures and scenarios in folders of these names. */
const testFile = /\.(test|spec)\.ts$|\/(testing|scenarios|conformance)\//;
const outside = /(^|\/)(node_modules|fixtures)\//;

/** All packages of the repository with their sources. */
export function readPackages(root: string): WorkspacePackage[] {
  const top = readManifest(root, '.');
  const shared = [...Object.keys(top.dependencies), ...Object.keys(top.devDependencies)];
  const manifests = globSync(
    (top.workspaces ?? []).map((pattern) => `${pattern}/package.json`),
    { cwd: root },
  );
  return manifests.sort().map((path) => readPackage(root, dirname(path), shared));
}

function readPackage(root: string, folder: string, shared: readonly string[]): WorkspacePackage {
  const manifest = readManifest(root, folder);
  const dependencies = new Set([...Object.keys(manifest.dependencies), ...Object.keys(manifest.optionalDependencies)]);
  return {
    name: manifest.name,
    folder,
    floor: manifest.capstan?.floor,
    dependencies,
    testDependencies: new Set([...dependencies, ...Object.keys(manifest.devDependencies), ...shared]),
    isServer: folder.startsWith('packages/servers/'),
    files: readSources(root, folder),
  };
}

export function isTestPath(path: string): boolean {
  return testFile.test(path);
}

function readSources(root: string, folder: string): SourceFile[] {
  return globSync(`${folder}/**/*.{ts,tsx,mts,js,mjs}`, { cwd: root, exclude: (name) => name === 'node_modules' })
    .filter((path) => !outside.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8'), isTest: isTestPath(path) }));
}

function readManifest(root: string, folder: string): z.infer<typeof Manifest> {
  return Manifest.parse(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')));
}
