import type { CallOutcome, ToolCall } from '@capstan/contracts';
import { failedEnding, failWith } from '../ending.ts';
import { findLoop, remember, turnDigest } from '../loop-guard.ts';
import { endWith, type Node, type NodeContext } from '../node.ts';
import { failureOf, outcomeText } from '../outcome.ts';
import { performCall } from '../perform-call.ts';
import { callsOfTurn } from '../planners/plan-with-model.ts';
import { callRecords } from '../run-log.ts';
import type { Ending, RunState } from '../run-state.ts';
import { budgetEnding, spentTime } from '../spent-budget.ts';
import { stuckHint } from '../stuck-hint.ts';

/**
 * Makes the pending calls, in order. A call that needs a human's yes stops there: what comes after it may build on it, so
 * it waits too. A spent budget ends the run between two calls, and a drained one stops there. Results go to the model as messages; the repair planner reads them from the log.
 */
export const execute: Node = async (state, context) => {
  const decided = await decidedCalls(state, context);
  const digests: string[] = [];
  let { denials } = state;
  for (const [index, id] of state.pending.entries()) {
    const call = decided.get(id);
    if (call === undefined) return endWith(failWith('internal', `Nobody knows the call ${id}.`));
    context.deps.signal?.throwIfAborted();
    const spent = spentTime(context);
    if (spent !== undefined) return { ...endWith(budgetEnding(spent)), pending: [], denials };
    const performed = await performCall(call, context);
    if (performed.kind === 'waiting') {
      const pending = state.pending.slice(index);
      const recent = remember(state.recent, digests);
      return { next: 'human', waiting: performed.waiting, returnTo: 'execute', pending, recent, denials };
    }
    const { outcome } = performed;
    if (outcome.kind === 'denied') denials += 1;
    await tellModel(call, outcome, context);
    const ending = endingFor(outcome, context);
    if (ending !== undefined) return { ...endWith(ending), pending: [], denials };
    digests.push(turnDigest(call, outcome));
  }
  const recent = remember(state.recent, digests);
  const isNew = digests.some((digest) => !state.recent.includes(digest));
  const staleTurns = isNew ? 0 : state.staleTurns + 1;
  const loop = findLoop(recent, staleTurns);
  const settled = { pending: [], recent, staleTurns, denials };
  if (loop === undefined) return { ...settled, next: 'plan' };
  const hint = stuckHint(context.input.task.planner);
  return { ...settled, ...endWith(failWith('unsolved', `Stopped going round in circles: ${loop}.`, hint)) };
};

async function decidedCalls(state: RunState, context: NodeContext): Promise<Map<string, ToolCall>> {
  const isModel = context.input.task.planner === 'model';
  const calls = isModel
    ? await callsOfTurn(state.turn, context)
    : callRecords(await context.log.rows()).map(({ call }) => call);
  return new Map(calls.map((call) => [call.id, call]));
}

async function tellModel(call: ToolCall, outcome: CallOutcome, { input, log }: NodeContext): Promise<void> {
  if (input.task.planner !== 'model') return;
  await log.append(`message:${call.id}`, {
    type: 'message-add',
    message: { role: 'tool', callId: call.id, text: outcomeText(outcome) },
  });
}

/**
 * A model is told about refusals, wrong arguments, and what a tool could not solve; what is wrong with the environment ends
 * the run. A planner without a model can do nothing with a refusal.
 */
function endingFor(outcome: CallOutcome, { input }: NodeContext): Ending | undefined {
  const failure = failureOf(outcome);
  if (failure === undefined || (outcome.kind !== 'denied' && failure.level === 'param')) return undefined;
  const isModel = input.task.planner === 'model';
  if (outcome.kind === 'denied') {
    return isModel ? undefined : { status: 'denied', failure: { ...failure, code: 'denied' } };
  }
  const ending = failedEnding(failure);
  if (failure.code === 'budget-spent') return ending;
  return isModel && ending.status === 'unsolved' ? undefined : ending;
}
