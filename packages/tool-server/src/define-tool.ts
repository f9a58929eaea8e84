import type { Failure, Tier } from '@capstan/contracts';
import type { z } from 'zod';

/** What a handler knows about the call it serves. */
export interface ToolContext {
  /** Aborted when the caller cancels the call. */
  readonly signal: AbortSignal;
  /** Set by Capstan's gateway and stable over restarts: the key under which an effect happens once. */
  readonly callId: string | undefined;
  /** Sends an MCP progress notification when the caller asked for progress; otherwise does nothing. */
  progress(message: string): Promise<void>;
}

export interface ToolLink {
  readonly uri: string;
  readonly name: string;
}

/** How a call ends: with content, or with a failure that says who can do what about it (requirement T8). */
export type ToolReply =
  | { readonly text: string; readonly structured: unknown; readonly links?: readonly ToolLink[] }
  | { readonly failure: Failure };

/** A tool as a server declares it; the schemas are enforced on both sides of the handler. */
export interface Tool<Input = unknown> {
  readonly name: string;
  readonly title: string;
  /** What it does, when to use it, its limits and which neighbour to use instead (requirement T5). */
  readonly description: string;
  readonly tier: Tier;
  /** True only if the same call with the same call id has its effect once, however often it is made. */
  readonly idempotent: boolean;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType;
  handler(input: Input, context: ToolContext): Promise<ToolReply>;
}

/** Ties a handler to its input schema: the handler sees only values that passed it. */
export function defineTool<Schema extends z.ZodType>(
  tool: Omit<Tool<z.output<Schema>>, 'input' | 'handler'> & {
    readonly input: Schema;
    handler(input: z.output<Schema>, context: ToolContext): Promise<ToolReply>;
  },
): Tool {
  return { ...tool, handler: (input, context) => tool.handler(input as z.output<Schema>, context) };
}

/** A reply for an argument that cannot be used: what was wrong, and what to do instead. */
export function param(message: string, hint: string, code = 'bad-argument'): { readonly failure: Failure } {
  return { failure: { level: 'param', code, message, hint } };
}
