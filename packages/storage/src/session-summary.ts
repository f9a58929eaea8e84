import type { Approval, EventBody, EventType, RunRow } from '@capstan/contracts';
import { type ApprovalDeps, readApprovals } from './approval-ledger.ts';
import { type ReadDeps, readLatestEvent } from './event-log.ts';
import type { Leases } from './leases.ts';
import type { Sessions } from './sessions.ts';

/** What a list of sessions says of one, without reading its whole log. */
export interface SessionSummary {
  /** Whether a process drives the session now, as far as can be told from here. */
  readonly isHeld: boolean;
  /** Its workspace is gone: `collectGarbage` has removed it. */
  readonly isArchived: boolean;
  /** Oldest first. */
  readonly runs: readonly RunRow[];
  readonly lastEnd: Extract<EventBody, { type: 'run-end' }> | undefined;
  /** The last that happened to the checkout. */
  readonly lastChange: 'diff-apply' | 'diff-undo' | undefined;
  readonly waiting: readonly Approval[];
}

export interface SummaryDeps extends ReadDeps, Pick<ApprovalDeps, 'clock'> {
  readonly sessions: Sessions;
  readonly leases: Leases;
}

/** Reads a session's summary; an archived one's from its archive. Needs no lease. */
export function readSummary(deps: SummaryDeps, sessionId: string): SessionSummary {
  const archive = deps.sessions.isArchived(sessionId) ? deps.archive.read(sessionId) : undefined;
  const latest = <Type extends EventType>(type: Type) => {
    const row = archive
      ? archive.events.findLast((event) => event.body.type === type)
      : readLatestEvent(deps, sessionId, type);
    return row && { number: row.number, body: row.body as Extract<EventBody, { type: Type }> };
  };
  const [applied, undone] = [latest('diff-apply'), latest('diff-undo')];
  return {
    isHeld: deps.leases.isHeld(sessionId),
    isArchived: archive !== undefined,
    runs: archive?.runs ?? deps.sessions.listRuns(sessionId),
    lastEnd: latest('run-end')?.body,
    lastChange: (undone?.number ?? 0) > (applied?.number ?? 0) ? 'diff-undo' : applied && 'diff-apply',
    waiting: archive ? [] : readApprovals(deps, sessionId).filter(({ status }) => status === 'waiting'),
  };
}
