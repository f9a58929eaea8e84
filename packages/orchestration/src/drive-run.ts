import type { RunOutcome } from '@capstan/agent';
import type { ChatModel, Lease, RunRow, SessionStorage } from '@capstan/contracts';
import { SessionWorkspace } from '@capstan/workspace';
import type { OrchestrationDeps, SessionGateway } from './deps.ts';
import { finishRun, type RunEndBody, stoppedEnd } from './finish-run.ts';
import { keepLease } from './keep-lease.ts';

/** How a run ended, or why it stopped: the body of its last event. */
export type RunEnd = RunEndBody;

/**
 * Third hop: drives one run under the session's lease, from wherever its last process left it. The last event is
 * `run-end`; the lease is given back in every case.
 */
export async function driveRun(run: RunRow, lease: Lease, deps: OrchestrationDeps): Promise<RunEnd> {
  const stop = new AbortController();
  const signal = AbortSignal.any([deps.signal, stop.signal]);
  const release = keepLease(deps.storage, lease, () => stop.abort(new Error('lease lost')));
  try {
    const session = deps.storage.session(lease);
    const ended = await endedBefore(run, session);
    if (ended) return ended;
    const life = run.lives + 1;
    await deps.storage.updateRun(lease, run.runId, { status: 'running', lives: life });
    if (life > 1)
      await session.events.append(`run-resume:${run.runId}:${life}`, { type: 'run-resume', runId: run.runId, life });
    const end = await untilStopped({ run, lease, session, deps, signal });
    await session.events.append(`run-end:${run.runId}:${life}`, end);
    const status = end.status === 'waiting' ? 'waiting' : 'ended';
    await deps.storage.updateRun(lease, run.runId, { status, exitCode: end.exitCode });
    return end;
  } finally {
    release();
    await deps.storage.releaseLease(lease);
  }
}

interface Life {
  readonly run: RunRow;
  readonly lease: Lease;
  readonly session: SessionStorage;
  readonly deps: OrchestrationDeps;
  readonly signal: AbortSignal;
}

async function endedBefore(run: RunRow, session: SessionStorage): Promise<RunEnd | undefined> {
  const rows = await session.events.read();
  const end = rows.findLast((row) => row.body.type === 'run-end' && row.body.runId === run.runId)?.body;
  return end?.type === 'run-end' && end.status !== 'waiting' ? end : undefined;
}

/** A stop that was asked for is an end of this life of the run, not a failure: it waits to be resumed. */
async function untilStopped(life: Life): Promise<RunEnd> {
  try {
    return await work(life);
  } catch (thrown) {
    if (!life.deps.signal.aborted || thrown !== life.deps.signal.reason) throw thrown;
    const { usageOf } = await import('@capstan/agent');
    return stoppedEnd(life.run, usageOf(await life.session.events.read()), thrown);
  }
}

async function work(life: Life): Promise<RunEnd> {
  const { run, session, deps } = life;
  const workspace = await openWorkspace(life);
  const { kind, detail } = await deps.containment();
  await session.events.append(`sandbox-ready:${kind}`, { type: 'sandbox-ready', containment: kind, detail });
  const model = run.task.model === undefined ? undefined : deps.openModel(run.task.model);
  const gateway = await deps.openGateway({ session, workspace, task: run.task });
  try {
    const outcome = await untilNobodyAnswers(life, workspace, gateway, model);
    return await finishRun(run, outcome, workspace, session, deps);
  } finally {
    await gateway.close();
  }
}

async function openWorkspace({ run, session, deps }: Life): Promise<SessionWorkspace> {
  const row = await deps.storage.findSession(run.sessionId);
  const folder = row?.workspace ?? '';
  const workspace = await SessionWorkspace.open({
    repository: run.task.repository,
    folder,
    searchPath: deps.searchPath,
  });
  await session.events.append('workspace-open', {
    type: 'workspace-open',
    baseTree: workspace.baseTree,
    files: workspace.files,
  });
  return workspace;
}

/** Runs the graph; when it waits for a person who can be asked here, asks, and runs it on. */
async function untilNobodyAnswers(
  { run, lease, session, deps, signal }: Life,
  workspace: SessionWorkspace,
  gateway: SessionGateway,
  model: ChatModel | undefined,
): Promise<RunOutcome> {
  // The graph is the heaviest part to load: what fails before it is said at once.
  const { runGraph } = await import('@capstan/agent');
  const checkpointer = await deps.storage.checkpointer(lease);
  const { clock, actor } = deps;
  const agent = { gateway, session, checkpointer, workspace, clock, signal, ...(model ? { model } : {}) };
  const input = { runId: run.runId, sessionId: run.sessionId, task: run.task, actor };
  for (;;) {
    const outcome = await runGraph(agent, input);
    if (outcome.kind === 'ended' || !(await answered(session, deps))) return outcome;
  }
}

async function answered(session: SessionStorage, deps: OrchestrationDeps): Promise<boolean> {
  let any = false;
  for (const approval of await session.approvals.waiting()) {
    const decision = await deps.approver?.(approval);
    if (!decision) continue;
    const { sessionId, callId, argumentDigest } = approval;
    await deps.storage.decideApproval(sessionId, callId, argumentDigest, decision, deps.actor);
    const approved = decision === 'approved';
    await session.events.append(`approval-answer:${callId}:${argumentDigest}`, {
      type: 'approval-answer',
      callId,
      approved,
      by: deps.actor,
    });
    any = true;
  }
  return any;
}
