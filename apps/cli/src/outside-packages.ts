import { existsSync, readlinkSync, realpathSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { SandboxBind } from '@capstan/contracts';
import type { IgnoredPath } from '@capstan/workspace';

/** Stores of package managers: what their links lead to is published packages and nothing else. */
const stores: readonly RegExp[] = [
  /^.*\/pnpm\/store\/v\d+(?=\/)/,
  /^.*\/\.pnpm-store\/v\d+(?=\/)/,
  /^.*\/\.bun\/install\/cache(?=\/)/,
  /^.*\/\.yarn\/berry\/(cache|index)(?=\/)/,
];
const mostLinks = 5_000;

/**
 * Folders outside of the checkout that its packages lead to, to be read only: stores of package managers, where links
 * of node_modules end, and the node_modules of a folder above, where a package manager puts what workspaces share.
 */
export async function outsidePackages(checkout: string, ignored: readonly IgnoredPath[]): Promise<SandboxBind[]> {
  const modules = ignored.filter(({ path }) => basename(path) === 'node_modules');
  const found = new Set<string>();
  for (const { path } of modules) for (const store of await storesOf(join(checkout, path))) found.add(store);
  const read = [...found].map((folder): SandboxBind => ({ from: folder, to: folder, access: 'read' }));
  const above = modulesAbove(checkout);
  // Programs look for packages from their file upwards: above /workspace comes the root.
  return above === undefined ? read : [...read, { from: above, to: '/node_modules', access: 'read' }];
}

/** The stores that the links of a node_modules folder lead to; links are looked at, not what lies behind them. */
async function storesOf(modules: string): Promise<string[]> {
  const names = await readdir(modules, { withFileTypes: true }).catch(() => []);
  const scoped = names.filter((entry) => entry.isDirectory() && (entry.name.startsWith('@') || entry.name === '.pnpm'));
  const inner = await Promise.all(
    scoped.map(async ({ name }) => {
      const entries = await readdir(join(modules, name), { withFileTypes: true }).catch(() => []);
      return entries.filter((entry) => entry.isSymbolicLink()).map((entry) => join(modules, name, entry.name));
    }),
  );
  const outer = names.filter((entry) => entry.isSymbolicLink()).map((entry) => join(modules, entry.name));
  return [...outer, ...inner.flat()].slice(0, mostLinks).flatMap((link) => storeOf(link) ?? []);
}

function storeOf(link: string): string | undefined {
  const target = resolve(dirname(link), readlinkSync(link));
  if (!existsSync(target)) return undefined;
  const real = realpathSync(target);
  for (const store of stores) {
    const folder = store.exec(real)?.[0];
    // The link must name the store itself, so that it leads to the same place inside.
    if (folder !== undefined && target.startsWith(`${folder}/`)) return folder;
  }
  return undefined;
}

/** The nearest node_modules above a checkout that belongs to a package there: a home folder's own is none. */
function modulesAbove(checkout: string): string | undefined {
  for (let folder = dirname(checkout); folder.split('/').length > 2; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    if (existsSync(modules) && existsSync(join(folder, 'package.json'))) return realpathSync(modules);
  }
  return undefined;
}
