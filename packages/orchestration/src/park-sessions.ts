import { CapstanError } from '@capstan/contracts';
import { SessionWorkspace } from '@capstan/workspace';
import type { OrchestrationDeps } from './deps.ts';
import { leaseMilliseconds } from './keep-lease.ts';

type ParkDeps = Pick<OrchestrationDeps, 'storage' | 'holder' | 'searchPath' | 'signal'>;

/**
 * Gives back the disk space of the copies of sessions that have ended: their content stays in their git folders, so that
 * they can be shown, applied and taken back. Answers with how many were parked. Sessions in use are passed over.
 */
export async function parkSessions(sessionIds: readonly string[], deps: ParkDeps): Promise<number> {
  let parked = 0;
  for (const sessionId of sessionIds) {
    deps.signal.throwIfAborted();
    const run = await deps.storage.latestRun(sessionId);
    const row = await deps.storage.findSession(sessionId);
    if (run?.status !== 'ended' || row === undefined) continue;
    const lease = await deps.storage.acquireLease(sessionId, deps.holder, leaseMilliseconds);
    if (lease === undefined) continue;
    try {
      if (await park({ repository: row.repository, folder: row.workspace }, deps)) parked += 1;
    } finally {
      await deps.storage.releaseLease(lease);
    }
  }
  return parked;
}

async function park(place: { repository: string; folder: string }, deps: ParkDeps): Promise<boolean> {
  const { searchPath, signal } = deps;
  try {
    const workspace = await SessionWorkspace.open({ ...place, searchPath, signal, mustExist: true });
    return await workspace.park();
  } catch (thrown) {
    // A workspace that is lost, or whose checkout is gone, takes no space that could be given back this way.
    if (thrown instanceof CapstanError) return false;
    throw thrown;
  }
}
