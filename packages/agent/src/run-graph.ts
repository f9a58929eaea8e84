import { ExitCode, type Failure, type RunStatus, type Verification } from '@capstan/contracts';
import type { AgentDeps, RunInput } from './agent-deps.ts';
import { answerOf } from './answer.ts';
import { exitCodeOf } from './ending.ts';
import { buildGraph } from './graph.ts';
import { driveThread } from './langgraph.ts';
import { lastOf, RunLog } from './run-log.ts';
import { initialState, type RunState, type Usage, type Waiting } from './run-state.ts';

/** Where a run stands when the graph stops: at its end, or at questions that only a human can answer. */
export type RunOutcome =
  | {
      readonly kind: 'ended';
      readonly status: RunStatus;
      readonly exitCode: number;
      /** The model's words, or the planner's summary. */
      readonly answer: string;
      readonly failure?: Failure;
      readonly verification?: Verification;
      readonly usage: Usage;
    }
  | {
      readonly kind: 'waiting';
      readonly waiting: readonly (Waiting & { interruptId: string })[];
      readonly usage: Usage;
    };

/**
 * Drives a run from its last checkpoint (or its start) until it ends or needs a human; call it again after an approval
 * was decided in the ledger, or after a crash. Rejects with the reason of the signal when the run was drained, and with
 * what storage threw; the run can then be driven again.
 */
export async function runGraph(deps: AgentDeps, input: RunInput): Promise<RunOutcome> {
  const log = new RunLog(deps.session.events, input.runId);
  const thread = await driveThread<RunState, Waiting>({
    graph: buildGraph({ deps, input, log }, deps.checkpointer),
    threadId: input.runId,
    // Above what the budget of steps allows, which ends a run cleanly.
    recursionLimit: 2 * input.task.budget.steps + 100,
    initial: initialState(),
    decide: (question) => decisionOn(question, deps),
  });
  const { used: usage } = thread.state;
  if (thread.kind === 'waiting') {
    const waiting = thread.interrupts.map(({ id, question }) => ({ ...question, interruptId: id }));
    return { kind: 'waiting', waiting, usage };
  }
  return endedOutcome(thread.state, log, input);
}

/** What the ledger says about a question; undefined while nobody has answered and there is still time. */
async function decisionOn(question: Waiting, deps: AgentDeps): Promise<string | undefined> {
  const row = await deps.session.approvals.find(question.callId, question.argumentDigest);
  if (row === undefined) return undefined;
  if (row.status === 'waiting') return row.expiresAt <= deps.clock.now() ? 'expired' : undefined;
  return row.status === 'used' ? 'approved' : row.status;
}

async function endedOutcome(state: RunState, log: RunLog, input: RunInput): Promise<RunOutcome> {
  const rows = await log.rows();
  const ending = state.ending ?? { status: 'done' as const };
  const verification = lastOf(rows, 'verification')?.verification;
  return {
    kind: 'ended',
    status: ending.status,
    exitCode: ending.status === 'waiting' ? ExitCode.needsHuman : exitCodeOf(ending),
    answer: answerOf(rows, input.task.planner, ending),
    ...(ending.failure === undefined ? {} : { failure: ending.failure }),
    ...(verification === undefined ? {} : { verification }),
    usage: state.used,
  };
}
