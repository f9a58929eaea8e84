import { z } from 'zod';

/** A message as it came over the wire. */
const WireMessage = z.looseObject({
  role: z.string(),
  content: z.unknown(),
  tool_call_id: z.string().optional(),
  tool_calls: z
    .array(z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) }))
    .optional(),
});
type WireMessage = z.infer<typeof WireMessage>;

/** A request for a chat completion; what the server does not read passes through. */
export const WireRequest = z.looseObject({
  model: z.string(),
  messages: z.array(WireMessage),
  tools: z.array(z.looseObject({ type: z.string() })).optional(),
  stream: z.boolean().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).optional(),
});
export type WireRequest = z.infer<typeof WireRequest>;

/** What a script answers with. */
export const ScriptedAnswer = z.strictObject({
  text: z.string().optional(),
  calls: z.array(z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })).optional(),
});
export type ScriptedAnswer = z.infer<typeof ScriptedAnswer>;

/** A script: a module that exports `next`. It keeps no state; everything it knows is in the request. */
export interface Script {
  next(request: {
    messages: WireMessage[];
    tools: unknown[];
    /** Assistant messages so far. */
    turn: number;
  }): ScriptedAnswer | Promise<ScriptedAnswer>;
}
