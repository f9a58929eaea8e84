import type { Task } from '@capstan/contracts';

/** The time limit that `exec` has by itself for one run of a check. Milliseconds. */
const usualMilliseconds = 120_000;

/**
 * Arguments for running a check. A run that may take less time than a check usually may cuts the check short too: at half
 * of its own time, so that there is time left to say so.
 */
export function checkArguments(checkId: string, { budget }: Pick<Task, 'budget'>): Record<string, unknown> {
  if (budget.milliseconds >= usualMilliseconds) return { checkId };
  return { checkId, timeoutMs: Math.max(1000, Math.floor(budget.milliseconds / 2)) };
}
