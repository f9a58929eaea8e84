import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { SandboxKind } from '@capstan/contracts';
import { tryOverlays } from '@capstan/sandbox';
import type { Settings } from '../settings.ts';
import type { Finding } from './finding.ts';

/** Whether tests may write to what git ignores (node_modules...), tried where sessions will be kept. */
export async function overlayFinding({ home, searchPath }: Settings, kind: SandboxKind): Promise<Finding> {
  const part = 'overlays';
  if (kind === 'none') return { part, state: 'missing', detail: 'they need a sandbox' };
  const folder = existsSync(home) ? home : tmpdir();
  const { kept, memory, detail } = await tryOverlays({ kind, searchPath, folder, lowers: [] });
  if (kept || memory)
    return { part, state: 'works', detail: `tests may write to node_modules and the like: ${detail}` };
  return {
    part,
    state: 'missing',
    detail,
    hint: 'Dependencies are copied where they are small, else tests can only read them. Linux 5.11 or later has overlays.',
  };
}
