import type { HostRequests, PendingReply } from './define-tool.ts';

/** The levels of `RequestContext.log`, from least to most severe; hosts choose from which one on they listen. */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error';

/** What a handler of a tool, prompt or resource knows about its request, and can ask of the host that made it. */
export interface RequestContext {
  /** Aborted when the caller cancels the request or goes away. */
  readonly signal: AbortSignal;
  /** Sends a line to the host's log, where the host listens; otherwise does nothing. Never for what a model must know. */
  log(level: LogLevel, message: string): Promise<void>;
  /**
   * Asks the host's model. A host of protocol 2026-07-28 calls again with the answer: then the outcome is `pending`, its
   * reply is to be returned as it is, and the handler runs again from its first line. So ask before any effect.
   */
  sample(request: SampleRequest): Promise<Sampled>;
  /** Asks the host for model answers, for input of its person, or for its roots; as `sample` for more than one at once. */
  ask(requests: HostRequests): Promise<Asked>;
}

export interface SampleRequest {
  /** Names the question within its request, e.g. "commit-message": the answer comes back under it. */
  readonly key: string;
  readonly prompt: string;
  readonly system?: string;
  /** The most that the model may answer. Tokens. */
  readonly maxTokens: number;
  /** What matters in the choice of the model: 0 (not at all) to 1. */
  readonly preferences?: { readonly cost?: number; readonly speed?: number; readonly intelligence?: number };
}

/** `unavailable`: the host declared no model, or refused. The server goes on without, and says so in its result (T2). */
export type Sampled =
  | { readonly outcome: 'answered'; readonly text: string; readonly model: string }
  | { readonly outcome: 'unavailable'; readonly reason: string }
  | { readonly outcome: 'pending'; readonly reply: PendingReply };

/** The answers by the keys of their requests; they come from the host unchecked. */
export type Asked =
  | { readonly outcome: 'answered'; readonly answers: Readonly<Record<string, unknown>> }
  | { readonly outcome: 'unavailable'; readonly reason: string }
  | { readonly outcome: 'pending'; readonly reply: PendingReply };
