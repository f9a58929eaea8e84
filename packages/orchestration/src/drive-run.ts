import type { RunOutcome } from '@capstan/agent';
import { CapstanError, type ChatModel, type Lease, type RunRow, type SessionStorage } from '@capstan/contracts';
import { diskFault } from '@capstan/storage';
import { SessionWorkspace } from '@capstan/workspace';
import { awaitAnswers } from './await-answers.ts';
import type { OrchestrationDeps, SessionGateway } from './deps.ts';
import { failedEnd, finishRun, type RunEndBody, stoppedEnd } from './finish-run.ts';
import { keepLease } from './keep-lease.ts';
import { tellProgress } from './tell-progress.ts';

/** How a run ended, or why it stopped: the body of its last event. */
export type RunEnd = RunEndBody;

/**
 * Third hop: drives one run under the session's lease, from wherever its last process left it. The last event is
 * `run-end`; the lease is given back in every case.
 */
export async function driveRun(run: RunRow, lease: Lease, deps: OrchestrationDeps): Promise<RunEnd> {
  const stop = new AbortController();
  const signal = AbortSignal.any([deps.signal, stop.signal]);
  const release = keepLease(deps.storage, lease, () => stop.abort(leaseLost(run.sessionId)));
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
    const status = end.status === 'waiting' || end.status === 'failed' ? 'waiting' : 'ended';
    await deps.storage.updateRun(lease, run.runId, { status, exitCode: end.exitCode });
    return end;
  } finally {
    release();
    await deps.storage.releaseLease(lease);
  }
}

function leaseLost(sessionId: string): CapstanError {
  return new CapstanError('lease-lost', `Another process has taken session ${sessionId} over.`, {
    hint: 'Leave the session to it; this process stops.',
  });
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
  // What failed for want of something can be driven again once it is there.
  return end?.type === 'run-end' && !['waiting', 'failed'].includes(end.status) ? end : undefined;
}

/** A stop that was asked for ends this life of the run and is no failure; whatever else was thrown is told as one. */
async function untilStopped(life: Life): Promise<RunEnd> {
  try {
    return await work(life);
  } catch (thrown) {
    // A lost lease ends the right to write, also that of writing how it ended.
    if (life.signal.aborted && !life.deps.signal.aborted) throw life.signal.reason;
    const { usageOf } = await import('@capstan/agent');
    const usage = usageOf(await life.session.events.read());
    if (life.deps.signal.aborted) return stoppedEnd(life.run, usage, life.deps.signal.reason);
    return failedEnd(life.run, usage, diskFault(thrown, life.deps.worktrees));
  }
}

async function work(life: Life): Promise<RunEnd> {
  const workspace = await openWorkspace(life);
  const end = await workIn(workspace, life);
  await giveBack(end, workspace);
  return end;
}

async function workIn(workspace: SessionWorkspace, life: Life): Promise<RunEnd> {
  const { run, session, deps } = life;
  const { kind, detail } = await deps.containment(run.task.repository);
  await session.events.append(`sandbox-ready:${kind}`, { type: 'sandbox-ready', containment: kind, detail });
  const model = run.task.model === undefined ? undefined : await deps.openModel(run.task.model, run.task.modelEndpoint);
  const gateway = await deps.openGateway({ session, workspace, task: run.task });
  const stopPreparing = workspace.prepareNext();
  try {
    const outcome = await untilNobodyAnswers(life, workspace, gateway, model);
    return await finishRun(run, outcome, workspace, session, deps);
  } finally {
    await stopPreparing();
    await gateway.close();
  }
}

/** A large copy is given back when nothing will work in it any more. What cannot be given back is left to `gc`. */
async function giveBack(end: RunEnd, workspace: SessionWorkspace): Promise<void> {
  if (end.status === 'waiting' || end.status === 'failed' || !workspace.isLarge) return;
  await workspace.park().catch(() => false);
}

async function openWorkspace({ run, session, deps, signal }: Life): Promise<SessionWorkspace> {
  const row = await deps.storage.findSession(run.sessionId);
  const folder = row?.workspace ?? '';
  const progress = tellProgress(session.events);
  try {
    const workspace = await SessionWorkspace.open({
      repository: run.task.repository,
      folder,
      searchPath: deps.searchPath,
      pool: deps.workspacePool,
      homeFolder: deps.homeFolder,
      signal,
      onProgress: progress.update,
      mustExist: (await session.events.read()).some((event) => event.body.type === 'workspace-open'),
    });
    await workspace.unpark();
    await progress.end();
    await session.events.append('workspace-open', {
      type: 'workspace-open',
      baseTree: workspace.baseTree,
      files: workspace.files,
      ...(workspace.notices.length > 0 ? { notices: [...workspace.notices] } : {}),
    });
    return workspace;
  } finally {
    await progress.end();
  }
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
  const { clock, actor, random } = deps;
  const agent = { gateway, session, checkpointer, workspace, clock, random, signal, ...(model ? { model } : {}) };
  const input = { runId: run.runId, sessionId: run.sessionId, task: run.task, actor };
  for (;;) {
    const outcome = await runGraph(agent, input);
    if (outcome.kind === 'ended') return outcome;
    if (!(await awaitAnswers(outcome.waiting, session.approvals, deps))) return outcome;
  }
}
