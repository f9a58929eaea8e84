import type { Task } from '@capstan/contracts';

/** What `exec` allows one run of a check where nothing else is configured. Milliseconds. */
const usualMilliseconds = 600_000;

/**
 * Arguments for running a check. It gets half of the run's own time, so that there is time left to say so, and never more
 * than `exec` was configured to allow: nothing is said where the run has plenty.
 */
export function checkArguments(checkId: string, { budget }: Pick<Task, 'budget'>): Record<string, unknown> {
  const half = Math.max(1000, Math.floor(budget.milliseconds / 2));
  return half >= usualMilliseconds ? { checkId } : { checkId, timeoutMs: half };
}
