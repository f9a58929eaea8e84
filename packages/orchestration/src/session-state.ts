import type { SessionSummary } from '@capstan/storage';
import type { ApplyState } from '@capstan/workspace';

/** Where a session stands, in words for people: the glossary of `capstan sessions`. */
export type SessionState =
  /** A live process drives it. */
  | 'running'
  /** A person has to decide, look or settle something. */
  | 'waiting'
  /** By Ctrl-C or a signal: it can be gone on with. */
  | 'stopped'
  /** Its process is gone without an end. */
  | 'broken off'
  | 'done'
  | 'unsolved'
  | 'denied'
  | 'failed'
  | 'applied'
  | 'undone'
  /** A process died while it changed the checkout. */
  | 'half applied'
  | 'archived';

export interface SessionFacts extends Pick<SessionSummary, 'isHeld' | 'isArchived' | 'lastEnd' | 'lastChange'> {
  readonly lastRun: SessionSummary['runs'][number] | undefined;
  readonly applyState: ApplyState;
}

/** Says where a session stands (pure). What a process does now comes first, then the checkout, then the run. */
export function sessionStateOf(facts: SessionFacts): SessionState {
  const { isHeld, isArchived, lastRun, lastEnd, applyState } = facts;
  if (isHeld) return 'running';
  if (isArchived) return 'archived';
  if (applyState === 'broken-off') return 'half applied';
  if (!lastRun || !lastEnd || lastRun.status === 'queued' || lastRun.status === 'running') return 'broken off';
  const change = applyState === 'none' ? earlierChange(facts) : applyState;
  if (change) return change;
  if (lastEnd.status !== 'waiting') return lastEnd.status;
  return lastEnd.failure?.code === 'stopped' ? 'stopped' : 'waiting';
}

/** Sessions from before there was a journal of changes have events only. */
function earlierChange({ lastChange, lastEnd }: SessionFacts): 'applied' | 'undone' | undefined {
  if (lastChange === 'diff-undo') return 'undone';
  return lastChange === 'diff-apply' || lastEnd?.applied ? 'applied' : undefined;
}
