import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxBind, SandboxKind } from '@capstan/contracts';
import { removeTree } from '../remove-tree.ts';
import { tryOverlays } from '../try-overlays.ts';
import { type AttackFixture, openAttackFixture } from './attack-fixture.ts';

/** An attack fixture whose host also has a dependency folder, to lie below an overlay. */
export interface OverlayFixture extends AttackFixture {
  /** The dependency folder on the host. */
  readonly lower: string;
  /** Over everything in it, names, kinds, modes and bytes. */
  lowerDigest(): string;
  /** The binds of the fixture with the overlay at /workspace/deps; without `upper` in memory. */
  overlay(upper?: string): { readonly binds: SandboxBind[] };
  /** A new folder for what is written. */
  upper(name: string): string;
}

export async function openOverlayFixture(kind: SandboxKind, searchPath: string): Promise<OverlayFixture> {
  const fixture = await openAttackFixture(kind, searchPath);
  const lower = join(fixture.base, 'checkout/deps');
  mkdirSync(join(lower, 'pkg/inner'), { recursive: true });
  writeFileSync(join(lower, 'pkg/index.js'), 'original\n');
  writeFileSync(join(lower, 'pkg/inner/file'), 'inner\n');
  writeFileSync(join(fixture.base, 'checkout/neighbour'), fixture.canary);
  symlinkSync('../neighbour', join(lower, 'up'));
  symlinkSync(join(fixture.base, 'home/.ssh/id'), join(lower, 'away'));
  return {
    ...fixture,
    lower,
    lowerDigest: () => digestOf(lower),
    overlay: (upper) => {
      const kept = upper === undefined ? {} : { upper };
      return {
        binds: [...fixture.profile().binds, { from: lower, to: '/workspace/deps', access: 'overlay', ...kept }],
      };
    },
    upper: (name) => {
      const path = join(fixture.base, 'session', name);
      mkdirSync(path, { recursive: true });
      return path;
    },
    close: async () => {
      await removeTree(join(fixture.base, 'session'));
      await fixture.close();
    },
  };
}

function digestOf(folder: string): string {
  const hash = createHash('sha256');
  const visit = (path: string): void => {
    const found = lstatSync(path);
    hash.update(`${path}\0${found.mode}\0${found.nlink}\0${found.mtimeMs}\0`);
    if (found.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (found.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name));
    else hash.update(readFileSync(path));
  };
  visit(folder);
  return hash.digest('hex');
}

/** Why overlays that keep what is written cannot be tested here; false where they can. */
export async function overlaySkip(kind: SandboxKind, searchPath: string, folder: string): Promise<string | false> {
  const { kept, detail } = await tryOverlays({ kind, searchPath, folder, lowers: [] });
  return kept ? false : `needs overlays: ${detail}`;
}

/** Mounts of the host that show a folder or the layers of an overlay. */
export function mountsNaming(folder: string): string[] {
  const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  return lines.filter((line) => line.includes(folder) || line.includes('.layers'));
}
