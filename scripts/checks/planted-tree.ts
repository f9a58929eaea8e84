import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';

/** A small repository in a temporary folder, removed when the test ends: path to text, or to a value for JSON. */
export function plantTree(context: TestContext, files: Readonly<Record<string, unknown>>): string {
  const root = mkdtempSync(join(tmpdir(), 'capstan-planted-'));
  context.after(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return root;
}

/** A package.json on a floor. */
export function manifest(name: string, floor: number | undefined, dependencies: readonly string[] = []): unknown {
  return {
    name: `@capstan/${name}`,
    ...(floor === undefined ? {} : { capstan: { floor } }),
    dependencies: Object.fromEntries(dependencies.map((dependency) => [dependency, '1.0.0'])),
  };
}

/** The root's package.json. */
export const rootManifest = {
  name: 'planted',
  workspaces: ['packages/*', 'packages/servers/*', 'apps/*'],
  devDependencies: { 'fast-check': '1.0.0' },
};
