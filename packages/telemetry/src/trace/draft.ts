import type { TraceFacts, TraceState } from './trace-node.ts';

/** A part of a trace while it is being read: its end moves on. */
export interface Draft {
  readonly facts: TraceFacts;
  readonly startMs: number;
  endMs: number;
  state: TraceState;
  readonly rows: number[];
  readonly children: Draft[];
}

export interface NewPart {
  readonly startMs: number;
  readonly endMs: number;
  readonly state?: TraceState;
  readonly rows?: readonly number[];
}

export function newDraft(facts: TraceFacts, { startMs, endMs, state = 'done', rows = [] }: NewPart): Draft {
  return { facts, startMs, endMs, state, rows: [...rows], children: [] };
}

/** Where the next part of `parent` can begin at the earliest: parts do not overlap. */
export function cursorOf(parent: Draft): number {
  return parent.children.at(-1)?.endMs ?? parent.startMs;
}

/** Adds a part at the end of `parent`, which grows with it. A part that would begin before the last one ended is cut. */
export function addPart(parent: Draft, facts: TraceFacts, part: NewPart): Draft {
  const startMs = Math.max(cursorOf(parent), part.startMs);
  const draft = newDraft(facts, { ...part, startMs, endMs: Math.max(startMs, part.endMs) });
  parent.children.push(draft);
  parent.endMs = Math.max(parent.endMs, draft.endMs);
  return draft;
}

/** Ends a part, not before its last part. */
export function closeDraft(draft: Draft, endMs: number, state: TraceState): void {
  draft.endMs = Math.max(endMs, cursorOf(draft));
  draft.state = state;
}
