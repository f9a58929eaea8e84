import type { CallOutcome, Failure, ToolResult } from '@capstan/contracts';
import { callTime, startServer } from '../call-time.ts';
import type { CatalogTool } from '../catalog/catalog-tool.ts';
import { keyedDigest } from '../digest.ts';
import { dispatch, type Reply } from '../dispatch.ts';
import { isDryRun } from '../is-dry-run.ts';
import { bareFailure, failureResult, readResult } from '../read-result.ts';
import { type CallState, denied, type Stage } from '../stage.ts';

const mostAttempts = 20;

type Next = () => Promise<CallOutcome>;

/**
 * Sends the call, once (requirement S3): the intent is journalled before and the outcome after. A finished call gives
 * its recorded result; one whose outcome nobody knows is repeated only where that does no harm, else a human decides.
 */
export const execute: Stage = {
  name: 'execute',
  async run(state, next) {
    const { tool } = state;
    if (tool === undefined) return next();
    const notReady = await readiness(state, tool);
    if (notReady !== undefined) return notReady;
    await state.beforeExecute?.();
    return isDryRun(state) ? preview(state, tool, next) : attempt(state, tool, next, 1);
  },
};

/** Sends a call, as it stands or as a dry run. Never throws. */
export function sendCall(state: CallState, tool: CatalogTool, options: { dryRun: boolean }): Promise<Reply> {
  const { call, context, gateway } = state;
  const { spec, definition } = tool;
  return dispatch(gateway.pool, spec.name, {
    tool: definition.tool,
    arguments: options.dryRun ? { ...call.arguments, dryRun: true } : call.arguments,
    callId: call.id,
    ...callTime(state, tool),
    signal: context.signal,
    onProgress: context.onProgress,
  });
}

/** Before the journal knows of the call: a server that cannot be started has done nothing. */
async function readiness(state: CallState, tool: CatalogTool): Promise<CallOutcome | undefined> {
  const { gateway, call } = state;
  const failure = await startServer(state, tool.spec.name);
  if (failure !== undefined) return failed(state, failure);
  // A server that was started again listed its tools again.
  const now = gateway.catalog.get(call.name);
  if (now === undefined) return denied(state, 'execute', 'unknown-tool', `${call.name} is no longer offered.`);
  if (now.blocked === undefined) return undefined;
  return denied(state, 'execute', now.blocked.rule, now.blocked.message, { level: 'fatal' });
}

/**
 * A call id can be tried more than once, under a journal key for each try: after a failure of which the server said that
 * trying again helps, and after a human said to do it again.
 */
async function attempt(state: CallState, tool: CatalogTool, next: Next, number: number): Promise<CallOutcome> {
  const { call, gateway, argumentDigest } = state;
  const key = number === 1 ? call.id : `${call.id}~${number}`;
  const entry = await gateway.options.session.calls.begin(key, argumentDigest);
  if (entry.state === 'new') return send(state, tool, next, { key, number });
  const same = entry.sameDigest;
  if (same && entry.state === 'done') {
    const mayRetry = entry.result.failure?.level === 'retryable' && number < mostAttempts;
    return mayRetry ? attempt(state, tool, next, number + 1) : pass(state, entry.result, next);
  }
  if (same && isRepeatable(tool)) return send(state, tool, next, { key, number });
  if (number < mostAttempts && (await saidAgain(state, number))) return attempt(state, tool, next, number + 1);
  return unknownOutcome(
    state,
    number,
    same ? 'it was started and its outcome was never recorded.' : 'its call id was used with other arguments.',
  );
}

interface Try {
  readonly key: string;
  readonly number: number;
}

async function send(state: CallState, tool: CatalogTool, next: Next, { key, number }: Try): Promise<CallOutcome> {
  const reply = await sendCall(state, tool, { dryRun: false });
  if (reply.kind === 'lost') {
    // In a later run the journal asks about a call that may have been done.
    const isOver = reply.failure.code === 'budget-spent';
    return isOver || isRepeatable(tool)
      ? failed(state, reply.failure)
      : unknownOutcome(state, number, reply.failure.message);
  }
  const result = reply.kind === 'answer' ? readResult(tool, reply.result) : failureResult(tool, reply.failure);
  await state.gateway.options.session.calls.complete(key, result);
  return pass(state, result, next);
}

async function preview(state: CallState, tool: CatalogTool, next: Next): Promise<CallOutcome> {
  const reply = await sendCall(state, tool, { dryRun: true });
  if (reply.kind !== 'answer') return failed(state, reply.failure);
  return pass(state, readResult(tool, reply.result), next);
}

function pass(state: CallState, result: ToolResult, next: Next): Promise<CallOutcome> {
  const failure = bareFailure(result);
  if (failure !== undefined) return Promise.resolve(failed(state, failure));
  state.result = result;
  return next();
}

function isRepeatable(tool: CatalogTool): boolean {
  return tool.definition.tier === 'read' || tool.idempotent;
}

/** The question "do it again?" is a row of its own, so that the yes to the call itself does not answer it. */
function againDigest({ argumentDigest, gateway }: CallState, number: number): string {
  return keyedDigest(gateway.options.auditKey, 'again', [argumentDigest, number]);
}

async function saidAgain(state: CallState, number: number): Promise<boolean> {
  const { approvals } = state.gateway.options.session;
  const digest = againDigest(state, number);
  const row = await approvals.find(state.call.id, digest);
  if (row?.status === 'used') return true;
  return row?.status === 'approved' && (await approvals.consume(state.call.id, digest));
}

function failed(state: CallState, failure: Failure): CallOutcome {
  return { kind: 'failed', callId: state.call.id, failure };
}

function unknownOutcome(state: CallState, number: number, reason: string): CallOutcome {
  const { call, gateway } = state;
  const text = `${call.name} may have been done: ${reason} Look first; a yes does it again.`;
  const summary = gateway.options.redact(text);
  return { kind: 'unknown-outcome', callId: call.id, argumentDigest: againDigest(state, number), summary };
}
