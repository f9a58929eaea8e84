import { CapstanError } from '@capstan/contracts';
import { SessionWorkspace } from '@capstan/workspace';
import type { OrchestrationDeps } from './deps.ts';
import { leaseMilliseconds } from './keep-lease.ts';

type ParkDeps = Pick<OrchestrationDeps, 'storage' | 'holder' | 'searchPath' | 'signal'>;

/**
 * Gives back the disk space of the copies of sessions that have ended: their content stays in their git folders, so that
 * they can be shown, applied and taken back. Answers with how many were parked, or with `dryRun` would be. Sessions in use
 * are passed over. To be parked is no use: a session grows older all the same.
 */
export async function parkSessions(
  sessionIds: readonly string[],
  deps: ParkDeps,
  { dryRun }: { readonly dryRun: boolean },
): Promise<number> {
  let parked = 0;
  for (const sessionId of sessionIds) {
    deps.signal.throwIfAborted();
    const run = await deps.storage.latestRun(sessionId);
    const row = await deps.storage.findSession(sessionId);
    if (run?.status !== 'ended' || row === undefined) continue;
    const place = { repository: row.repository, folder: row.workspace };
    const workspace = await openWhereThere(place, deps);
    if (workspace === undefined || workspace.isParked) continue;
    if (dryRun ? !(await deps.storage.isHeld(sessionId)) : await parkUnused(sessionId, place, deps)) parked += 1;
  }
  return parked;
}

type Place = Readonly<Record<'repository' | 'folder', string>>;

async function parkUnused(sessionId: string, place: Place, deps: ParkDeps): Promise<boolean> {
  const lease = await deps.storage.acquireUpkeepLease(sessionId, deps.holder, leaseMilliseconds);
  if (lease === undefined) return false;
  try {
    // Opened again: another process may have gone on with it meanwhile.
    return (await (await openWhereThere(place, deps))?.park()) ?? false;
  } finally {
    await deps.storage.releaseUpkeepLease(lease);
  }
}

/** A workspace that is lost, or whose checkout is gone, takes no space that could be given back this way. */
async function openWhereThere(place: Place, deps: ParkDeps): Promise<SessionWorkspace | undefined> {
  const { searchPath, signal } = deps;
  try {
    return await SessionWorkspace.open({ ...place, searchPath, signal, mustExist: true });
  } catch (thrown) {
    if (thrown instanceof CapstanError) return undefined;
    throw thrown;
  }
}
