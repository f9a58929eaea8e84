import { setTimeout as delay } from 'node:timers/promises';
import type { Approval, EventRow } from '@capstan/contracts';
import type { OrchestrationDeps } from './deps.ts';
import { leaseMilliseconds } from './keep-lease.ts';

export type ApprovalAnswer =
  | {
      readonly kind: 'answered';
      readonly approval: Approval;
      /** A process that waits for the answer has taken it up; otherwise the session is to be resumed. */
      readonly goesOn: boolean;
    }
  /** Somebody else was first, or it was too late: the row says what became of the question. */
  | { readonly kind: 'closed'; readonly approval: Approval }
  | { readonly kind: 'unknown' };

type Deps = Pick<OrchestrationDeps, 'storage' | 'holder' | 'actor'>;

/** A process that waits looks at the ledger several times a second; this leaves room for a busy machine. */
const takeUpMilliseconds = 10_000;
const lookEveryMilliseconds = 200;

/**
 * A person's answer to one call with exactly these arguments, from any process. It counts once. Where no process drives the
 * session, the answer goes into its log here; a process that waits for it writes it there itself.
 */
export async function answerApproval(
  { sessionId, callId, argumentDigest }: Pick<Approval, 'sessionId' | 'callId' | 'argumentDigest'>,
  decision: 'approved' | 'denied',
  deps: Deps,
): Promise<ApprovalAnswer> {
  const decided = await deps.storage.decideApproval(sessionId, callId, argumentDigest, decision, deps.actor);
  if (decided === undefined) return { kind: 'unknown' };
  const { approval, isCounted } = decided;
  if (!isCounted) return { kind: 'closed', approval };
  return { kind: 'answered', approval, goesOn: await isTakenUp(approval, deps) };
}

/** Waits until the process that drives the session has told its log, or is gone. */
async function isTakenUp(approval: Approval, deps: Deps): Promise<boolean> {
  for (let waited = 0; ; waited += lookEveryMilliseconds) {
    const recorded = await recordAnswer(approval, deps);
    if (recorded !== 'held') return recorded === 'told';
    if (isTold(approval, await deps.storage.readEvents(approval.sessionId))) return true;
    if (waited >= takeUpMilliseconds) return false;
    await delay(lookEveryMilliseconds);
  }
}

/** Whether the log has the answer: one that comes after the question was asked with these arguments. */
function isTold({ callId, argumentDigest }: Approval, rows: readonly EventRow[]): boolean {
  const asked = rows.findLastIndex(
    ({ body }) => body.type === 'approval-request' && body.callId === callId && body.argumentDigest === argumentDigest,
  );
  return rows.slice(asked + 1).some(({ body }) => body.type === 'approval-answer' && body.callId === callId);
}

/** `held` when a process holds the session; `told` when one did, has told the log, and has ended since. */
async function recordAnswer(approval: Approval, { storage, holder }: Deps): Promise<'held' | 'told' | 'recorded'> {
  const { sessionId, callId, argumentDigest, status, decidedBy = 'unknown' } = approval;
  const lease = await storage.acquireLease(sessionId, holder, leaseMilliseconds);
  if (lease === undefined) return 'held';
  try {
    if (isTold(approval, await storage.readEvents(sessionId))) return 'told';
    const body = { type: 'approval-answer', callId, approved: status === 'approved', by: decidedBy } as const;
    await storage.session(lease).events.append(`approval-answer:${callId}:${argumentDigest}`, body);
  } finally {
    await storage.releaseLease(lease);
  }
  return 'recorded';
}
