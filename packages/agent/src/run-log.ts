import type { CallOutcome, CheckReport, EventBody, EventLog, EventRow, ToolCall } from '@capstan/contracts';
import type { Usage } from './run-state.ts';

/** The event log as one run sees it. Rows are read once each, so a late step costs what an early one does. */
export class RunLog {
  readonly #events: EventLog;
  readonly #runId: string;
  #rows: EventRow[] = [];
  #last = 0;
  #inside = true;

  constructor(events: EventLog, runId: string) {
    this.#events = events;
    this.#runId = runId;
  }

  append(key: string, body: EventBody): Promise<EventRow> {
    return this.#events.append(key, body);
  }

  /** The rows of this run so far, in order: from its `run-start` to the next one. */
  async rows(): Promise<readonly EventRow[]> {
    for (const row of await this.#events.read(this.#last)) {
      this.#last = row.number;
      if (row.body.type === 'run-start') this.#enter(row.body.runId === this.#runId);
      if (this.#inside) this.#rows.push(row);
    }
    return this.#rows;
  }

  #enter(ours: boolean): void {
    if (ours) this.#rows = [];
    this.#inside = ours;
  }
}

/** A call that was decided, with its outcome as soon as there is one. */
export interface CallRecord {
  readonly row: number;
  readonly call: ToolCall;
  readonly outcome: CallOutcome | undefined;
}

/** All calls of a run in the order in which they were decided. */
export function callRecords(rows: readonly EventRow[]): CallRecord[] {
  const outcomes = new Map<string, CallOutcome>();
  for (const { body } of rows) if (body.type === 'tool-result') outcomes.set(body.callId, body.outcome);
  return rows.flatMap(({ number, body }) =>
    body.type === 'tool-call' ? [{ row: number, call: body.call, outcome: outcomes.get(body.call.id) }] : [],
  );
}

/** The last report of each check in a phase. */
export function checkReports(rows: readonly EventRow[], phase: 'before' | 'after'): CheckReport[] {
  const reports = new Map<string, CheckReport>();
  for (const { body } of rows) {
    if (body.type === 'check-report' && body.phase === phase) reports.set(body.report.checkId, body.report);
  }
  return [...reports.values()];
}

/** The last event of a type. */
export function lastOf<Type extends EventBody['type']>(
  rows: readonly EventRow[],
  type: Type,
): Extract<EventBody, { type: Type }> | undefined {
  const body = rows.findLast((row) => row.body.type === type)?.body;
  return body as Extract<EventBody, { type: Type }> | undefined;
}

/** What the run has used, counted from its log: nothing is counted twice when a node runs again. */
export function usageOf(rows: readonly EventRow[]): Usage {
  const usage = { promptTokens: 0, completionTokens: 0, modelRequests: 0, toolCalls: 0 };
  for (const { body } of rows) {
    if (body.type === 'tool-result') usage.toolCalls += 1;
    if (body.type !== 'model-answer') continue;
    usage.modelRequests += 1;
    usage.promptTokens += body.answer.usage.promptTokens;
    usage.completionTokens += body.answer.usage.completionTokens;
  }
  return usage;
}
