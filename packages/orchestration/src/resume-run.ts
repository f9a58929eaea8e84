import { CapstanError } from '@capstan/contracts';
import type { OrchestrationDeps } from './deps.ts';
import { driveRun, type RunEnd } from './drive-run.ts';
import { leaseMilliseconds } from './keep-lease.ts';

/**
 * Goes on with the latest run of a session: after a crash, a stop, or an answer to an approval. A run that had ended is
 * reported again and not run again. Throws `unknown-session` or `session-busy`.
 */
export async function resumeRun(sessionId: string, deps: OrchestrationDeps): Promise<RunEnd> {
  const session = await deps.storage.findSession(sessionId);
  const run = session && (await deps.storage.latestRun(sessionId));
  if (!run) {
    throw new CapstanError('unknown-session', `There is no session ${sessionId} with a run in it.`, {
      hint: 'Session ids are printed when a run starts and in its last event.',
    });
  }
  const lease = await deps.storage.acquireLease(sessionId, deps.holder, leaseMilliseconds);
  if (!lease) {
    throw new CapstanError('session-busy', `Session ${sessionId} is being run by another process.`, {
      hint: 'Wait for it, or stop that process; its lease ends by itself when it is gone.',
    });
  }
  await deps.storage.session(lease).events.append(`run-start:${run.runId}`, {
    type: 'run-start',
    runId: run.runId,
    task: run.task,
  });
  deps.onSession(sessionId);
  return driveRun(run, lease, deps);
}
