import type { Approval, EventRow, Label, Task, ToolCall } from '@capstan/contracts';

/** What the log knows about a question: the call as it was asked for, and where its content may come from. */
export interface QuestionContext {
  readonly task: Pick<Task, 'text' | 'label'> | undefined;
  /** Undefined for questions that are about no call. */
  readonly call: ToolCall | undefined;
  /** What the session held by then that nobody of this machine may have written, or that must not leave. */
  readonly labels: readonly Label[];
}

/** Reads a question's context from its session's log. */
export function questionContext({ callId }: Pick<Approval, 'callId'>, rows: readonly EventRow[]): QuestionContext {
  const asked = rows.findLastIndex(({ body }) => body.type === 'approval-request' && body.callId === callId);
  const before = asked < 0 ? rows : rows.slice(0, asked + 1);
  const start = before.findLast(({ body }) => body.type === 'run-start')?.body;
  const made = before.findLast(({ body }) => body.type === 'tool-call' && body.call.id === callId)?.body;
  return {
    task: start?.type === 'run-start' ? { text: start.task.text, label: start.task.label } : undefined,
    call: made?.type === 'tool-call' ? made.call : undefined,
    labels: before.flatMap(({ body }) => (body.type === 'taint-rise' ? [body.label] : [])),
  };
}
