import { z } from 'zod';
import { Failure } from './error.ts';
import { Label, Taint } from './label.ts';

/** What a tool may do (requirement G3): a server's own annotations may raise it, never lower it. */
export const Tier = z.enum(['read', 'write', 'dangerous']);
export type Tier = z.infer<typeof Tier>;

/** How far a server is trusted (requirement G4). Unknown servers are third-party: sandboxed. */
export const Trust = z.enum(['official', 'reviewed', 'third-party']);
export type Trust = z.infer<typeof Trust>;

/** JSON Schema as a server sent it; passed through unchanged. */
export const JsonSchema = z.record(z.string(), z.unknown());
export type JsonSchema = z.infer<typeof JsonSchema>;

/** Hints that a server gives about a tool; they can raise its tier only. */
export const ToolAnnotations = z.looseObject({
  title: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});
export type ToolAnnotations = z.infer<typeof ToolAnnotations>;

/** A tool as agents see it. `name` is `server__tool`: unique over all servers, valid for every model's API. */
export const ToolDefinition = z.strictObject({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  server: z.string(),
  tool: z.string(),
  description: z.string(),
  inputSchema: JsonSchema,
  outputSchema: JsonSchema.optional(),
  tier: Tier,
  annotations: ToolAnnotations,
});
export type ToolDefinition = z.infer<typeof ToolDefinition>;

/** A tool as its server lists it; unknown members are kept. */
export interface WireTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema?: Record<string, unknown> | undefined;
  readonly annotations?: ToolAnnotations | undefined;
  readonly _meta?: Record<string, unknown> | undefined;
}

/** The name under which agents call a server's tool. */
export function toolName(server: string, tool: string): string {
  return `${server}__${tool}`;
}

/** One call that an agent wants made. Its id is stable over restarts: the same step proposes the same ids. */
export const ToolCall = z.strictObject({
  id: z.string().min(1).describe('Unique in the session, e.g. "run-1:7:0"'),
  name: z.string().describe('`server__tool`'),
  arguments: z.record(z.string(), z.unknown()),
  taint: Taint,
});
export type ToolCall = z.infer<typeof ToolCall>;

export const TextContent = z.looseObject({ type: z.literal('text'), text: z.string() });
export const ImageContent = z.looseObject({ type: z.literal('image'), data: z.string(), mimeType: z.string() });
export const ResourceLinkContent = z.looseObject({
  type: z.literal('resource_link'),
  uri: z.string(),
  name: z.string(),
});
/** Parts of a result as MCP defines them; kinds we do not know pass through. */
export const Content = z.union([TextContent, ImageContent, ResourceLinkContent, z.looseObject({ type: z.string() })]);
export type Content = z.infer<typeof Content>;

/** What came back from a tool. A business failure has `isError` and a `failure` with its level. */
export const ToolResult = z.strictObject({
  content: z.array(Content),
  structured: z.unknown().optional().describe('`structuredContent`, matching the output schema'),
  isError: z.boolean(),
  failure: Failure.optional(),
  label: Label,
});
export type ToolResult = z.infer<typeof ToolResult>;

/** All text parts of a result, joined by newlines. */
export function resultText(result: ToolResult): string {
  const texts = result.content.flatMap((part) => (part.type === 'text' && 'text' in part ? [String(part.text)] : []));
  return texts.join('\n');
}

/** Every way in which `callTool` can end: a value, never a throw and never a wait for people (requirement G1). */
export const CallOutcome = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('result'), callId: z.string(), result: ToolResult }),
  z.strictObject({
    kind: z.literal('denied'),
    callId: z.string(),
    stage: z.string(),
    rule: z.string(),
    failure: Failure,
  }),
  z.strictObject({
    kind: z.literal('approval-required'),
    callId: z.string(),
    argumentDigest: z.string(),
    rule: z.string(),
    summary: z.string().describe('What would happen, for the person who decides'),
  }),
  z.strictObject({
    kind: z.literal('unknown-outcome'),
    callId: z.string(),
    argumentDigest: z.string(),
    summary: z.string(),
  }),
  z.strictObject({ kind: z.literal('failed'), callId: z.string(), failure: Failure }),
]);
export type CallOutcome = z.infer<typeof CallOutcome>;
