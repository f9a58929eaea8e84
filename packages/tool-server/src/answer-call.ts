import { type Failure, sizes, toFailure } from '@capstan/contracts';
import type { PendingReply, Tool, ToolContext, ToolReply } from './define-tool.ts';
import type { ToolListing } from './describe-tool.ts';
import { explainMismatch } from './explain-mismatch.ts';
import { linkPart, type WirePart, wirePart } from './wire-parts.ts';

/** A `tools/call` result before the SDK puts it on the wire. */
export interface CallAnswer {
  readonly content: WirePart[];
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
): Promise<CallAnswer | PendingReply> {
  const parsed = tool.input.safeParse(input);
  if (!parsed.success) return failedCall(explainMismatch(tool.name, parsed.error.issues, listing.inputSchema));
  const reply = await runHandler(tool, parsed.data, context);
  if ('pending' in reply) return reply;
  if ('failure' in reply) return failedCall(reply.failure);
  const output = tool.output.safeParse(reply.structured);
  if (!output.success) return failedCall(badReply(tool.name, output.error.issues[0]?.message ?? 'no reason given'));
  const parts = (reply.parts ?? []).map(wirePart);
  const text: WirePart[] = reply.text === '' && parts.length > 0 ? [] : [{ type: 'text', text: reply.text }];
  return withinLimit(tool.name, {
    content: [...text, ...parts, ...(reply.links ?? []).map(linkPart)],
    structuredContent: output.data as Record<string, unknown>,
  });
}

/** A failure as MCP carries it: `isError`, a sentence for models, and the value for Capstan's gateway. */
export function failedCall(failure: Failure): CallAnswer {
  const content: WirePart[] = [{ type: 'text', text: sentenceOf(failure) }];
  return { content, isError: true, _meta: { 'capstan/failure': failure } };
}

/** What went wrong and what to do, in one line. */
export function sentenceOf(failure: Failure): string {
  return failure.hint === undefined ? failure.message : `${failure.message} Hint: ${failure.hint}`;
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
  return bytes <= sizes.messageLimit ? answer : failedCall(tooLarge(`The result of ${name}`, bytes));
}

/** The failure of an answer that no message carries. */
export function tooLarge(what: string, bytes: number): Failure {
  return {
    level: 'param',
    code: 'result-too-large',
    message: `${what} has ${bytes} bytes; a message carries at most ${sizes.messageLimit}. Nothing was sent.`,
    hint: 'Ask for less in one call: fewer files, a smaller range or a lower limit.',
  };
}

function badReply(name: string, problem: string): Failure {
  return {
    level: 'fatal',
    code: 'internal',
    message: `${name} made a reply that breaks its own output schema: ${problem}`,
  };
}
