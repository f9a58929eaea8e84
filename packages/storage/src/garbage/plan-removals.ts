import { judgeSession, type SessionFacts } from './judge-session.ts';
import type { Retention } from './retention.ts';

export interface Removal {
  readonly sessionId: string;
  readonly reason: string;
  readonly bytes: number;
}

export interface RemovalPlan {
  readonly remove: readonly Removal[];
  readonly keep: readonly { readonly sessionId: string; readonly reason: string }[];
}

/**
 * Which sessions go, given all of them, oldest use first, and what the data folder takes: those whose time is over, and
 * then those that may go early while there are too many or too much.
 */
export function planRemovals(
  all: readonly SessionFacts[],
  retention: Retention,
  state: { readonly now: number; readonly totalBytes: number; readonly bytesOf: (sessionId: string) => number },
): RemovalPlan {
  const remove: Removal[] = [];
  const add = (sessionId: string, reason: string) =>
    remove.push({ sessionId, reason, bytes: state.bytesOf(sessionId) });
  const verdicts = all.map((facts) => ({ sessionId: facts.sessionId, ...judgeSession(facts, retention, state.now) }));
  for (const { action, sessionId, reason } of verdicts) if (action === 'remove') add(sessionId, reason);
  for (const verdict of verdicts) {
    if (verdict.action !== 'keep' || !verdict.early) continue;
    const bytes = state.totalBytes - remove.reduce((sum, removal) => sum + removal.bytes, 0);
    const tooMany = all.length - remove.length > retention.maximumSessions;
    if (!tooMany && bytes <= retention.maximumBytes) break;
    add(
      verdict.sessionId,
      tooMany ? 'there are more sessions than are kept' : 'the data folder is larger than it may be',
    );
  }
  const gone = new Set(remove.map(({ sessionId }) => sessionId));
  const keep = verdicts
    .filter(({ sessionId }) => !gone.has(sessionId))
    .map(({ sessionId, reason }) => ({ sessionId, reason }));
  return { remove, keep };
}
