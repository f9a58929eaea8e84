import { type Failure, sizes, toFailure } from '@capstan/contracts';
import type { Tool, ToolContext, ToolLink, ToolReply } from './define-tool.ts';
import type { ToolListing } from './describe-tool.ts';
import { explainMismatch } from './explain-mismatch.ts';

/** A `tools/call` result before the SDK puts it on the wire. */
export interface CallAnswer {
  readonly content: ({ type: 'text'; text: string } | { type: 'resource_link'; uri: string; name: string })[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
  readonly _meta?: Record<string, unknown>;
}

/** Checks the arguments, runs the handler, checks its reply. Never throws: each way to fail is an answer (T4, T8). */
export async function answerCall(
  tool: Tool,
  listing: ToolListing,
  input: unknown,
  context: ToolContext,
): Promise<CallAnswer> {
  const parsed = tool.input.safeParse(input);
  if (!parsed.success) return failed(explainMismatch(tool.name, parsed.error.issues, listing.inputSchema));
  const reply = await runHandler(tool, parsed.data, context);
  if ('failure' in reply) return failed(reply.failure);
  const output = tool.output.safeParse(reply.structured);
  if (!output.success) return failed(badReply(tool.name, output.error.issues[0]?.message ?? 'no reason given'));
  return withinLimit(tool.name, {
    content: [{ type: 'text', text: reply.text }, ...(reply.links ?? []).map(toLink)],
    structuredContent: output.data as Record<string, unknown>,
  });
}

/** A failure as MCP carries it: `isError`, a sentence for models, and the value for Capstan's gateway. */
function failed(failure: Failure): CallAnswer {
  const text = failure.hint === undefined ? failure.message : `${failure.message} Hint: ${failure.hint}`;
  return { content: [{ type: 'text', text }], isError: true, _meta: { 'capstan/failure': failure } };
}

async function runHandler(tool: Tool, input: unknown, context: ToolContext): Promise<ToolReply> {
  try {
    return await tool.handler(input, context);
  } catch (thrown) {
    return { failure: toFailure(thrown) };
  }
}

function withinLimit(name: string, answer: CallAnswer): CallAnswer {
  const bytes = Buffer.byteLength(JSON.stringify(answer));
  if (bytes <= sizes.messageLimit) return answer;
  return failed({
    level: 'param',
    code: 'result-too-large',
    message: `The result of ${name} has ${bytes} bytes; a message carries at most ${sizes.messageLimit}. Nothing was sent.`,
    hint: 'Ask for less in one call: fewer files, a smaller range or a lower limit.',
  });
}

function badReply(name: string, problem: string): Failure {
  return {
    level: 'fatal',
    code: 'internal',
    message: `${name} made a reply that breaks its own output schema: ${problem}`,
  };
}

function toLink(link: ToolLink): { type: 'resource_link'; uri: string; name: string } {
  return { type: 'resource_link', uri: link.uri, name: link.name };
}
