import { CapstanError } from '@capstan/contracts';
import { type ApprovalDeps, readApprovals } from '../approval-ledger.ts';
import type { SessionArchive } from '../archive.ts';
import { type ReadDeps, readEvents } from '../event-log.ts';
import type { Sessions } from '../sessions.ts';

export interface ReadSessionDeps extends ReadDeps, Pick<ApprovalDeps, 'clock'> {
  readonly sessions: Sessions;
}

/** All of a session that goes into its archive. */
export function readSession(deps: ReadSessionDeps, sessionId: string): Omit<SessionArchive, 'archivedAt'> {
  const session = deps.sessions.find(sessionId);
  if (session === undefined) throw new CapstanError('unknown-session', `There is no session ${sessionId}`);
  return {
    session,
    runs: deps.sessions.listRuns(sessionId),
    approvals: readApprovals(deps, sessionId),
    events: readEvents(deps, sessionId, 0),
  };
}
