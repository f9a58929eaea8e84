import type { ToolCall } from '@capstan/contracts';
import type { AgentDeps, RunInput } from './agent-deps.ts';
import type { RunLog } from './run-log.ts';
import type { Ending, NodeName, RunState } from './run-state.ts';

/** What all nodes of a run share. */
export interface RunContext {
  readonly deps: AgentDeps;
  readonly input: RunInput;
  readonly log: RunLog;
}

/** What one node run gets: `at` is the step whose number its ids and keys carry, also when it runs again. */
export interface NodeContext extends RunContext {
  readonly at: number;
  /** When the time of the run is spent, on the steady clock. */
  readonly deadline: number;
}

/** What a node changes, and where the graph goes next. */
export type Patch = Partial<RunState> & { readonly next: NodeName };

/**
 * A node: state in, patch out. It runs again from its first line after a crash, so each of its effects has an id or key
 * made from the run and `at`. It never catches everything: a question to a human travels as a throw.
 */
export type Node = (state: RunState, context: NodeContext) => Promise<Patch>;

/** The call number `index` of a node run. Our own calls are clean: no model and no content had a part in them. */
export function ownCall(context: NodeContext, index: number, name: string, args: ToolCall['arguments']): ToolCall {
  return { id: `${context.input.runId}:${context.at}:${index}`, name, arguments: args, taint: 'clean' };
}

/** A key for the event log that this node run alone uses. */
export function eventKey(context: NodeContext, name: string): string {
  return `${context.input.runId}:${context.at}:${name}`;
}

/** Goes to `done` with this ending. */
export function endWith(ending: Ending): Patch {
  return { next: 'done', ending };
}
