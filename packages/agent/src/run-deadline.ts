import type { Budget, EventRow } from '@capstan/contracts';

/**
 * When the time of a run is spent, in milliseconds since the epoch, by its log: the time in which it waited for people is
 * not counted. Undefined where the log does not say when the run began.
 */
export function runDeadline(rows: readonly EventRow[], { milliseconds }: Pick<Budget, 'milliseconds'>) {
  const start = rows.find(({ body }) => body.type === 'run-start');
  if (start === undefined) return undefined;
  const asked = new Map<string, number>();
  let waited = 0;
  for (const { at, body } of rows) {
    if (body.type === 'approval-request') asked.set(body.callId, at);
    if (body.type === 'approval-answer') waited += at - (asked.get(body.callId) ?? at);
  }
  return start.at + waited + milliseconds;
}
