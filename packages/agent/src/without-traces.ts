import type { RunContext } from './node.ts';

/**
 * Makes a call after which the workspace is as it was before it (requirement A6): what a test suite writes is no part of
 * the session's diff, and of no later run either. After a crash the tree that was kept first counts, so the call does
 * not meet what its own first run left.
 */
export async function withoutTraces<Outcome>(
  callId: string,
  make: () => Promise<Outcome>,
  { deps: { workspace }, log }: RunContext,
): Promise<Outcome> {
  const present = await workspace.snapshot();
  const { body } = await log.append(`snapshot:${callId}`, { type: 'workspace-snapshot', callId, tree: present });
  const tree = body.type === 'workspace-snapshot' ? body.tree : present;
  if (tree !== present) await workspace.restore(tree);
  try {
    return await make();
  } finally {
    await workspace.restore(tree);
  }
}
