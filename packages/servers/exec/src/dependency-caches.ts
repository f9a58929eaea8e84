import { existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check, SandboxBind } from '@capstan/contracts';
import { readPlainFile } from '@capstan/workspace';
import type { ExecOptions } from './exec-options.ts';

const CACHES = ['.cache', '.vite', '.vite-temp'];

/**
 * Runners write caches into node_modules, which is read-only here: over those that exist lies a folder of this
 * server's, kept as long as its state. Where none exists, none can be laid.
 */
export async function cacheBinds(options: ExecOptions): Promise<SandboxBind[]> {
  const places = moduleFolders(options).flatMap((bind) => CACHES.map((name) => ({ bind, name })));
  const existing = places.filter(({ bind, name }) => existsSync(join(bind.from, name)));
  return Promise.all(
    existing.map(async ({ bind, name }) => {
      const to = `${bind.to}/${name}`;
      const from = join(options.state, `cache${to.replaceAll('/', '-')}`);
      await mkdir(from, { recursive: true });
      await chmod(from, 0o777);
      return { from, to, access: 'write' as const };
    }),
  );
}

/** vite writes a bundled config into node_modules/.vite-temp; where it cannot, vitest 4 can load it without writing. */
export async function runnerFlags(check: Check, options: ExecOptions): Promise<string[]> {
  if (check.framework !== 'vitest') return [];
  for (const { from } of moduleFolders(options)) {
    if (existsSync(join(from, '.vite-temp'))) continue;
    const manifest = await readPlainFile(join(from, 'vitest/package.json'), 64 * 1024);
    const major = Number(/"version"\s*:\s*"(\d+)\./.exec(manifest ?? '')?.[1] ?? 0);
    if (major >= 4) return ['--configLoader=runner'];
  }
  return [];
}

function moduleFolders(options: ExecOptions): readonly SandboxBind[] {
  return options.binds.filter((bind) => bind.access === 'read' && bind.to.endsWith('/node_modules'));
}
