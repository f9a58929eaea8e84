import { z } from 'zod';

/** A call as a model asked for it. */
export const ModelToolCall = z.strictObject({
  id: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
});
export type ModelToolCall = z.infer<typeof ModelToolCall>;

export const ModelMessage = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), text: z.string() }),
  z.strictObject({ role: z.literal('user'), text: z.string() }),
  z.strictObject({ role: z.literal('assistant'), text: z.string(), calls: z.array(ModelToolCall) }),
  z.strictObject({ role: z.literal('tool'), callId: z.string(), text: z.string() }),
]);
export type ModelMessage = z.infer<typeof ModelMessage>;

export const ModelUsage = z.strictObject({
  promptTokens: z.number().int().nonnegative(),
  completionTokens: z.number().int().nonnegative(),
});
export type ModelUsage = z.infer<typeof ModelUsage>;

/** One whole answer. `calls` that could not be parsed are reported in `malformed`, never guessed. */
export const ModelAnswer = z.strictObject({
  text: z.string(),
  calls: z.array(ModelToolCall),
  malformed: z.array(z.strictObject({ id: z.string(), name: z.string(), reason: z.string() })),
  usage: ModelUsage,
});
export type ModelAnswer = z.infer<typeof ModelAnswer>;

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly signal?: AbortSignal;
  readonly onText?: (piece: string) => void;
}

/** A chat model. Throws `CapstanError` `model-failed` (level retryable or fatal); never retries for ever. */
export interface ChatModel {
  readonly name: string;
  request(request: ModelRequest): Promise<ModelAnswer>;
}
