import { CapstanError, type Lease, type SessionRow } from '@capstan/contracts';
import type { OrchestrationDeps } from './deps.ts';
import { keepLease, leaseMilliseconds } from './keep-lease.ts';

/**
 * Does work on a session that nobody else may write to meanwhile, and gives it free afterwards. Throws `unknown-session`
 * or `session-busy`.
 */
export async function withHeldSession<Result>(
  sessionId: string,
  { storage, holder }: Pick<OrchestrationDeps, 'storage' | 'holder'>,
  work: (session: SessionRow, lease: Lease) => Promise<Result>,
): Promise<Result> {
  const session = await storage.findSession(sessionId);
  if (!session) {
    throw new CapstanError('unknown-session', `There is no session ${sessionId}.`, {
      hint: 'List them: capstan sessions --all',
    });
  }
  const lease = await storage.acquireLease(sessionId, holder, leaseMilliseconds);
  if (!lease) {
    throw new CapstanError('session-busy', `Session ${sessionId} is being run by another process.`, {
      hint: 'Wait until its run has ended.',
    });
  }
  // What is written afterwards is fenced by the lease; a lost one is told there.
  const release = keepLease(storage, lease, () => undefined);
  try {
    return await work(session, lease);
  } finally {
    release();
    await storage.releaseLease(lease);
  }
}
