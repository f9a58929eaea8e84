import type { EventRow } from '@capstan/contracts';
import { elapsedTimes } from './elapsed-times.ts';
import { measureTrace } from './measure-trace.ts';
import { readRow } from './read-row.ts';
import type { TraceNode } from './trace-node.ts';
import { TraceShape } from './trace-shape.ts';

export interface TraceOptions {
  /** The time of the reader, in milliseconds since the epoch: what has not ended lasts until then. */
  readonly now?: number;
  /** Whether a process drives the session at this time; the log alone cannot tell. */
  readonly isDriven?: boolean;
}

/**
 * What a session did and how long it took, from its event log alone: session, runs, lives (one for each process that drove
 * the run) with the gaps between them, steps, and what happened in each. Every row belongs to one part; parts lie within
 * the part that holds them and do not overlap; no duration is negative, whatever the clock did.
 */
export function buildTrace(rows: readonly EventRow[], { now, isDriven = false }: TraceOptions = {}): TraceNode {
  const { times, wentBackMs } = elapsedTimes(rows);
  const [first, last] = [rows[0], rows.at(-1)];
  const shape = new TraceShape(first?.sessionId ?? '', first?.at ?? 0, wentBackMs);
  for (const [index, row] of rows.entries()) {
    const at = times[index] ?? 0;
    readRow(shape, row, at, times[index - 1] ?? at);
  }
  const lastAt = times.at(-1) ?? 0;
  const sinceLast = now === undefined || last === undefined ? 0 : Math.max(0, now - last.at);
  return measureTrace(shape.end(lastAt, lastAt + sinceLast, isDriven));
}
