import type { Verification } from '@capstan/contracts';
import { failingAfter } from '../compare-reports.ts';
import { digestOf } from '../digest.ts';
import { failWith } from '../ending.ts';
import { endWith, eventKey, type Node, type NodeContext, type Patch } from '../node.ts';
import { askHuman } from '../perform-call.ts';
import { appliedPatch } from '../planners/plan-repair.ts';
import { describeFailedAttempt } from '../planners/plan-with-model.ts';
import { lastOf } from '../run-log.ts';
import type { RunState, Waiting } from '../run-state.ts';
import { stuckHint } from '../stuck-hint.ts';
import { unstableTests } from './verify.ts';

const keptFailures = 5;
const longestReason = 300;

/** Why an attempt did not pass, and what to do about it: keep what helped, roll back what did not, ask a human in the end. */
export const reflect: Node = async (state, context) => {
  const rows = await context.log.rows();
  const verification = lastOf(rows, 'verification')?.verification;
  if (verification === undefined) return endWith(failWith('internal', 'There is no verification to reflect on.'));
  const { tree } = state;
  const failingNow = failingAfter(verification.before, verification.after, unstableTests(rows));
  const isProgress = verification.broken.length === 0 && failingNow < state.failing;
  if (context.input.task.planner === 'repair' && isProgress) {
    return { next: 'plan', snapshot: tree, failing: failingNow, roundStart: rows.at(-1)?.number ?? 0 };
  }
  const attempt = state.attempts + 1;
  const reason = verification.reason.slice(0, longestReason);
  await context.log.append(eventKey(context, 'fail'), { type: 'attempt-fail', attempt, reason });
  const rollsBack = mustRollBack(verification, context);
  if (rollsBack) await context.deps.workspace.restore(state.snapshot);
  const idle = tree === state.snapshot || state.tried.includes(tree);
  const common = {
    attempts: attempt,
    idleAttempts: idle ? state.idleAttempts + 1 : 0,
    failures: [...state.failures, reason].slice(-keptFailures),
    tried: [...state.tried, (await appliedPatch(state, context)) ?? tree],
    snapshot: rollsBack ? state.snapshot : tree,
    failing: rollsBack ? state.failing : failingNow,
  };
  await describeFailedAttempt(verification, rollsBack, context);
  return { ...common, ...(await goOn(state, { attempt, idle: common.idleAttempts, reason }, context)) };
};

/** A patch of the repair planner goes as a whole; a model keeps its work unless that did more harm than good. */
function mustRollBack(verification: Verification, { input }: NodeContext): boolean {
  if (input.task.planner === 'repair') return true;
  return verification.broken.length > verification.fixed.length;
}

async function goOn(
  state: RunState,
  { attempt, idle, reason }: { attempt: number; idle: number; reason: string },
  context: NodeContext,
): Promise<Patch> {
  // Nothing was changed, twice: there is nothing that a human could decide about.
  if (idle >= 2) {
    return endWith(
      failWith(
        'unsolved',
        `Two attempts in a row brought nothing new. ${reason}`,
        stuckHint(context.input.task.planner),
      ),
    );
  }
  if (attempt - state.answeredAttempts < context.input.task.budget.failures) return { next: 'plan' };
  const summary = `${attempt} attempts failed; the last one: ${reason} Approve to let the run try on, deny to end it.`;
  const waiting: Waiting = {
    callId: `${context.input.runId}:${context.at}:go-on`,
    argumentDigest: digestOf(summary),
    tool: 'agent__go_on',
    rule: goOnRule,
    summary,
  };
  await askHuman(waiting, context);
  return { next: 'human', waiting, returnTo: 'plan' };
}

/** The rule by which a human is asked after failed attempts. */
export const goOnRule = 'failed-attempts';
