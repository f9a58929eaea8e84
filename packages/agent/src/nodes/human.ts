import { failWith } from '../ending.ts';
import { interrupt } from '../langgraph.ts';
import { endWith, type Node } from '../node.ts';
import { goOnRule } from './reflect.ts';

/**
 * The only place where a run stops for a human. It asks one question, answered by its id from the approval ledger; then the
 * node goes on that had to wait, and makes its call again under the same id. The gateway knows what the answer was.
 */
export const human: Node = async (state, context) => {
  const { waiting, returnTo } = state;
  if (waiting === null || returnTo === null) return endWith(failWith('internal', 'There is no question to ask.'));
  const answer = interrupt<typeof waiting, string>(waiting);
  const approved = answer === 'approved';
  const { callId, argumentDigest } = waiting;
  const { deps, log } = context;
  const row = await deps.session.approvals.find(callId, argumentDigest);
  const by = row?.decidedBy ?? (answer === 'expired' ? 'nobody, in time' : 'unknown');
  await log.append(`approval-answer:${callId}:${argumentDigest}`, { type: 'approval-answer', callId, approved, by });
  const goesOn = { waiting: null, returnTo: null };
  if (waiting.rule !== goOnRule) return { ...goesOn, next: returnTo };
  if (approved) return { ...goesOn, next: returnTo, answeredAttempts: state.attempts, idleAttempts: 0 };
  const reason = state.failures.at(-1) ?? '';
  return { ...goesOn, ...endWith(failWith('unsolved', `A human ended the run after failed attempts. ${reason}`)) };
};
