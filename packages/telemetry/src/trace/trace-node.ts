import type { CallOutcome, CheckReport, Failure, Label, RunStatus, Task, Verification } from '@capstan/contracts';

/**
 * `planned`: decided and not begun. `open`: it goes on now. `waiting`: a person is asked. `cut-off`: its process ended in
 * the middle of it.
 */
export type TraceState = 'planned' | 'open' | 'waiting' | 'cut-off' | 'failed' | 'done';

/** When a part of a trace was, in milliseconds since the first row of the log. */
export interface TraceSpan {
  readonly startMs: number;
  readonly endMs: number;
  /** All of it: work, waiting for a person, and time in which nothing ran. */
  readonly durationMs: number;
  readonly workMs: number;
  readonly waitMs: number;
  readonly idleMs: number;
  /** Part of all the work in the trace, from 0 to 1. */
  readonly share: number;
  /** One of the three parts without parts that took most, and a tenth of all the work or more. */
  readonly slowest: boolean;
  readonly state: TraceState;
  /** Numbers of the rows of the log that this part was read from. Each row belongs to exactly one part. */
  readonly rows: readonly number[];
}

/** Why nothing of a run went on: a person was asked, its process was gone without a word, or it had been ended. */
export type GapReason = 'person' | 'crash' | 'idle';

/** What a part of a trace is, with what people want to know of it. */
export type TraceFacts =
  | {
      readonly kind: 'session';
      readonly sessionId: string;
      readonly startedAt: number;
      readonly clockWentBackMs: number;
    }
  | { readonly kind: 'run'; readonly runId: string; readonly task: Pick<Task, 'text' | 'planner' | 'model'> | null }
  | { readonly kind: 'life'; readonly life: number }
  | { readonly kind: 'gap'; readonly reason: GapReason }
  | { readonly kind: 'step'; readonly node: string; readonly step: number | null; readonly continued: boolean }
  | { readonly kind: 'workspace'; readonly files: number }
  | { readonly kind: 'sandbox'; readonly detail: string }
  | { readonly kind: 'dependencies'; readonly folders: readonly string[] }
  | { readonly kind: 'checks'; readonly chosen: readonly string[]; readonly left: readonly string[] }
  | {
      readonly kind: 'plan';
      readonly planner: string;
      readonly at: number;
      readonly of: number;
      readonly title: string;
    }
  | ModelFacts
  | CallFacts
  | { readonly kind: 'check'; readonly phase: 'before' | 'after'; readonly report: Omit<CheckReport, 'tests'> }
  | ApprovalFacts
  | { readonly kind: 'taint'; readonly label: Label }
  | { readonly kind: 'attempt'; readonly attempt: number; readonly reason: string }
  | { readonly kind: 'verification'; readonly verdict: Verification['verdict']; readonly reason: string }
  | { readonly kind: 'diff'; readonly files: readonly string[]; readonly held: readonly string[] }
  | { readonly kind: 'apply'; readonly files: readonly string[]; readonly laterMs: number }
  | { readonly kind: 'undo'; readonly files: readonly string[]; readonly laterMs: number }
  | EndFacts
  | { readonly kind: 'event'; readonly type: string };

export interface ModelFacts {
  readonly kind: 'model';
  readonly model: string;
  readonly messages: number;
  readonly answer: {
    readonly text: string;
    readonly calls: number;
    readonly promptTokens: number;
    readonly completionTokens: number;
  } | null;
}

export interface CallFacts {
  readonly kind: 'call';
  readonly callId: string;
  readonly tool: string;
  /** JSON, shortened. */
  readonly arguments: string;
  /** How it ended, in the words of the gateway; null where it did not. */
  readonly outcome: { readonly kind: CallOutcome['kind']; readonly text: string } | null;
}

export interface ApprovalFacts {
  readonly kind: 'approval';
  readonly callId: string;
  readonly tool: string;
  readonly rule: string;
  /** The question, shortened. */
  readonly summary: string;
  /** Null while nobody has answered. */
  readonly answer: { readonly approved: boolean; readonly by: string; readonly waitedMs: number } | null;
}

export interface EndFacts {
  readonly kind: 'end';
  readonly status: RunStatus;
  readonly exitCode: number;
  readonly failure: Failure | null;
  readonly reason: string | null;
  readonly tokens: number;
  readonly modelRequests: number;
  readonly toolCalls: number;
}

/** A part of a trace, with its parts in the order of time; none reaches out of the part that holds it. */
export type TraceNode = TraceSpan & TraceFacts & { readonly children: readonly TraceNode[] };
