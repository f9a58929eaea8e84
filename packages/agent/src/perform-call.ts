import {
  approvalMilliseconds,
  type CallContext,
  type CallOutcome,
  CapstanError,
  faultOfFailure,
  type ToolCall,
} from '@capstan/contracts';
import { retryWithBackoff } from '@capstan/resilience';
import { agentTools, toolNames } from './declared-tools.ts';
import type { NodeContext, RunContext } from './node.ts';
import { failureOf, type Performed } from './outcome.ts';
import { callRecords } from './run-log.ts';
import type { Waiting } from './run-state.ts';
import { withoutTraces } from './without-traces.ts';

const mostRetries = 3;

/**
 * Makes one call through the gateway: the only place that does. A call whose result is in the log is not made again.
 * Retryable failures are tried again with back-off and jitter, a bounded number of times. Throws the reason of the signal,
 * when the run is drained, and `storage-failed`, when the disk is full or the process at a limit: the result of such a call
 * is not kept, so that a resumed run makes it again. What a check writes is gone before its result
 * is recorded, so nothing that came after a recorded result is ever rolled back.
 */
export async function performCall(call: ToolCall, context: NodeContext): Promise<Performed> {
  const recorded = callRecords(await context.log.rows()).find((record) => record.call.id === call.id)?.outcome;
  if (recorded !== undefined) return { kind: 'outcome', outcome: recorded };
  const { deps, log } = context;
  deps.signal?.throwIfAborted();
  await log.append(`tool-call:${call.id}`, { type: 'tool-call', call });
  const startedAt = deps.clock.steady();
  const make = () => callWithRetries(call, context);
  const outcome = call.name === toolNames.runCheck ? await withoutTraces(call.id, make, context) : await make();
  deps.signal?.throwIfAborted();
  throwFault(outcome);
  const decided = await askOrDecide(call, outcome, context);
  if (decided.kind === 'waiting') return decided;
  const durationMs = deps.clock.steady() - startedAt;
  await log.append(`tool-result:${call.id}`, {
    type: 'tool-result',
    callId: call.id,
    outcome: decided.outcome,
    durationMs,
  });
  return decided;
}

async function callWithRetries(call: ToolCall, { deps, input, deadline }: NodeContext): Promise<CallOutcome> {
  const { random, pause, signal } = deps;
  const callContext: CallContext = {
    sessionId: input.sessionId,
    runId: input.runId,
    agent: 'capstan',
    actor: input.actor,
    tools: agentTools(input.task.planner),
    ...(deps.signal === undefined ? {} : { signal: deps.signal }),
    deadline,
  };
  return retryWithBackoff(() => deps.gateway.callTool(call, callContext), {
    failureOf,
    retries: mostRetries,
    firstMilliseconds: 250,
    maximumMilliseconds: 2_000,
    random,
    pause,
    signal,
  });
}

/** What no model can do anything about, and passes: it ends this life of the run, not the run. */
function throwFault(outcome: CallOutcome): void {
  const failure = failureOf(outcome);
  const fault = failure === undefined ? undefined : faultOfFailure(failure);
  if (failure === undefined || fault?.level !== 'retryable') return;
  const { hint, level, code } = fault;
  // Without a place in the sentence, whoever catches it names one.
  const cause = failure.message === fault.message ? Object.assign(new Error(failure.message), { code }) : undefined;
  throw new CapstanError('storage-failed', failure.message, { level, hint, cause });
}

/** A call that needs a yes waits for one; where the answer was no, or came to nothing in time, it is denied. */
async function askOrDecide(call: ToolCall, outcome: CallOutcome, context: RunContext): Promise<Performed> {
  if (outcome.kind !== 'approval-required' && outcome.kind !== 'unknown-outcome') return { kind: 'outcome', outcome };
  const rule = outcome.kind === 'unknown-outcome' ? 'unknown-outcome' : outcome.rule;
  const { argumentDigest, summary } = outcome;
  const waiting: Waiting = { callId: call.id, argumentDigest, tool: call.name, rule, summary };
  const answer = await askHuman(waiting, context);
  if (answer === 'waiting' || answer === 'approved') return { kind: 'waiting', waiting };
  return { kind: 'outcome', outcome: deniedByHuman(waiting, answer) };
}

type HumanAnswer = 'waiting' | 'approved' | 'denied' | 'expired';

/** Puts a question into the approval ledger, once, and says how it stands. */
export async function askHuman(waiting: Waiting, { deps, log }: RunContext): Promise<HumanAnswer> {
  const { approvals } = deps.session;
  const { callId, argumentDigest, tool, rule, summary } = waiting;
  const expiresAt = deps.clock.now() + approvalMilliseconds;
  const row =
    (await approvals.find(callId, argumentDigest)) ??
    (await approvals.request({ callId, argumentDigest, tool, rule, summary, expiresAt }));
  await log.append(`approval-request:${callId}:${argumentDigest}`, { type: 'approval-request', ...waiting });
  if (row.status === 'waiting') return row.expiresAt <= deps.clock.now() ? 'expired' : 'waiting';
  return row.status === 'used' ? 'approved' : row.status;
}

function deniedByHuman(waiting: Waiting, answer: 'denied' | 'expired'): CallOutcome {
  const message =
    answer === 'denied' ? 'A human denied this call.' : 'Nobody approved this call in time; it counts as denied.';
  const hint = 'Do not make the same call again; find another way, or say that it cannot be done without it.';
  return {
    kind: 'denied',
    callId: waiting.callId,
    stage: 'approval',
    rule: waiting.rule,
    failure: { level: 'fatal', code: 'denied', message: `${message} (${waiting.summary})`, hint },
  };
}
