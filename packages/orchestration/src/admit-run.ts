import { join } from 'node:path';
import { CapstanError, type Task } from '@capstan/contracts';
import type { OrchestrationDeps } from './deps.ts';
import { driveRun, type RunEnd } from './drive-run.ts';
import { leaseMilliseconds } from './keep-lease.ts';

/** Second hop: a session with its lease, a run, and the first event in the log before anything happens. */
export async function admitRun(task: Task, deps: OrchestrationDeps): Promise<RunEnd> {
  if (task.model !== undefined) await deps.openModel(task.model, task.modelEndpoint);
  const sessionId = deps.ids.next('session');
  await deps.storage.createSession({
    sessionId,
    repository: task.repository,
    workspace: join(deps.worktrees, sessionId),
  });
  const lease = await deps.storage.acquireLease(sessionId, deps.holder, leaseMilliseconds);
  if (!lease) throw new CapstanError('session-busy', `Session ${sessionId} is held by another process.`);
  const run = await deps.storage.createRun(sessionId, task, lease);
  await deps.storage.session(lease).events.append(`run-start:${run.runId}`, {
    type: 'run-start',
    runId: run.runId,
    task,
  });
  deps.onSession(sessionId);
  return driveRun(run, lease, deps);
}
