import { type Approval, CapstanError } from '@capstan/contracts';
import { closedQuestion } from './closed-question.ts';

export interface Choice {
  readonly sessionId: string;
  readonly call: string | undefined;
  readonly all: boolean;
  readonly now: number;
}

/**
 * The questions of a session that a person means. None when nothing waits. Throws `unknown-approval`, `approval-closed`
 * (saying what became of it), or `usage` when it is not clear which one is meant.
 */
export function chooseQuestions(approvals: readonly Approval[], choice: Choice): Approval[] {
  const { sessionId, call, all, now } = choice;
  const meant = call === undefined ? approvals : approvals.filter(({ callId }) => names(call, callId));
  const waiting = meant.filter(({ status }) => status === 'waiting');
  const last = meant.at(-1);
  if (call !== undefined && last === undefined) {
    throw new CapstanError('unknown-approval', `Nothing was asked about the call ${call} of ${sessionId}.`, {
      hint: `See what waits: capstan approve ${sessionId}`,
    });
  }
  if (call !== undefined && waiting.length === 0 && last !== undefined) throw closedQuestion(last, now);
  if (waiting.length > 1 && !all) {
    const ids = waiting.map(({ callId }) => callId).join(', ');
    throw new CapstanError('usage', `${waiting.length} questions wait in ${sessionId}: ${ids}.`, {
      hint: 'Name one of these calls, or have each shown with --all.',
    });
  }
  return waiting;
}

/** A call by its id, or by what stands behind the run in it: `run-1:7:0` is also `7:0`. */
function names(word: string, callId: string): boolean {
  return callId === word || callId.slice(callId.indexOf(':') + 1) === word;
}
