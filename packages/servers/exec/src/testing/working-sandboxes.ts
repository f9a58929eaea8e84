import type { SandboxKind } from '@capstan/contracts';
import { createSandboxRunner, defaultLimits } from '@capstan/sandbox';

/** The sandboxes that work on this machine, by trying them. */
export async function workingSandboxes(): Promise<SandboxKind[]> {
  const kinds: SandboxKind[] = ['bubblewrap', 'util-linux'];
  const works = await Promise.all(
    kinds.map(async (kind) => {
      const runner = createSandboxRunner({ kind, searchPath: process.env.PATH ?? '' });
      const environment = { PATH: '/usr/bin:/bin' };
      const profile = { binds: [], masked: [], environment, workingDirectory: '/tmp', limits: defaultLimits };
      return (await runner.run({ argv: ['true'], profile })).exitCode === 0;
    }),
  );
  return kinds.filter((_, index) => works[index]);
}
