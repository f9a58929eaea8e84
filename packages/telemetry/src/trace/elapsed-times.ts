import type { EventRow } from '@capstan/contracts';

export interface ElapsedTimes {
  /** Milliseconds since the first row, one for each row; never less than the one before. */
  readonly times: readonly number[];
  /** By how much the clock was set back between rows, in all. */
  readonly wentBackMs: number;
}

/**
 * How long after the first row each row was written. A clock that was set back adds nothing: what came after it is
 * measured from there on, so that one jump neither makes a duration negative nor hides those after it.
 */
export function elapsedTimes(rows: readonly EventRow[]): ElapsedTimes {
  const times: number[] = [];
  let elapsed = 0;
  let wentBackMs = 0;
  for (const [index, row] of rows.entries()) {
    const step = row.at - (rows[index - 1]?.at ?? row.at);
    elapsed += Math.max(0, step);
    wentBackMs += Math.max(0, -step);
    times.push(elapsed);
  }
  return { times, wentBackMs };
}
