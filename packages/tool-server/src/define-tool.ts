import type { Failure, Tier } from '@capstan/contracts';
import type { z } from 'zod';
import type { RequestContext } from './request-context.ts';

/** What a handler knows about the call it serves. */
export interface ToolContext extends RequestContext {
  /** Set by Capstan's gateway and stable over restarts: the key under which an effect happens once. */
  readonly callId: string | undefined;
  /** Sends an MCP progress notification when the caller asked for progress; otherwise does nothing. */
  progress(message: string): Promise<void>;
}

/** A resource that the host may read or show; what is behind it is not sent. */
export interface ToolLink {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes. */
  readonly size?: number;
}

/** What a resource holds: text, or bytes. */
export type ResourceContent = { readonly uri: string; readonly mimeType?: string } & (
  | { readonly text: string }
  | { readonly bytes: Uint8Array }
);

/** Content beside the text of a reply. Bytes are sent as base64. */
export type ReplyPart =
  | { readonly type: 'image' | 'audio'; readonly bytes: Uint8Array; readonly mimeType: string }
  | { readonly type: 'resource'; readonly resource: ResourceContent };

/** Answered by the base: the host is asked, and the handler runs again with its answers. Made by `RequestContext.ask`. */
export interface PendingReply {
  readonly pending: HostRequests;
}

/** Requests to the host by keys of the handler's own: sampling, elicitation or roots, as MCP writes them. */
export type HostRequests = Readonly<Record<string, HostRequest>>;
export interface HostRequest {
  readonly method: 'sampling/createMessage' | 'elicitation/create' | 'roots/list';
  readonly params?: Readonly<Record<string, unknown>>;
}

/** How a call ends: with content, or with a failure that says who can do what about it (requirement T8). */
export type ToolReply =
  | {
      /** For models. Nothing is sent for an empty text beside parts. */
      readonly text: string;
      readonly structured: unknown;
      readonly parts?: readonly ReplyPart[];
      readonly links?: readonly ToolLink[];
    }
  | { readonly failure: Failure }
  | PendingReply;

/** A tool as a server declares it; the schemas are enforced on both sides of the handler. */
export interface Tool<Input = unknown> {
  readonly name: string;
  readonly title: string;
  /** What it does, when to use it, its limits and which neighbour to use instead (requirement T5). */
  readonly description: string;
  readonly tier: Tier;
  /** True only if the same call with the same call id has its effect once, however often it is made. */
  readonly idempotent: boolean;
  /** Whether it can take away what was there (`destructiveHint`). Left out: only in the tier dangerous. */
  readonly destructive?: boolean;
  /** Whether it reaches what lies outside of this machine (`openWorldHint`). Left out: no. */
  readonly openWorld?: boolean;
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
