import { toFailure } from '@capstan/contracts';
import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import type { OpenRequestOf } from './build-server.ts';
import type { Prompt, PromptMessage, PromptReply } from './define-prompt.ts';
import { explainMismatch } from './explain-mismatch.ts';
import type { PreparedServer } from './prepare-server.ts';
import { protocolFailure } from './protocol-failure.ts';
import type { RequestContext } from './request-context.ts';
import { takePage } from './take-page.ts';
import { unknownCursor } from './unknown-cursor.ts';
import { wirePart } from './wire-parts.ts';

/** Prompts on one page of `prompts/list`. */
const pageSize = 100;

/** Answers `prompts/list` and `prompts/get`, when there are prompts. */
export function servePrompts(server: Server, { prompts, slots }: PreparedServer, open: OpenRequestOf): void {
  if (prompts.size === 0) return;
  const sorted = [...prompts.values()].map((entry) => entry.listing).sort((a, b) => (a.name < b.name ? -1 : 1));
  server.setRequestHandler('prompts/list', ({ params }) => {
    const page = takePage(sorted, (listing) => listing.name, params?.cursor, pageSize);
    if (page === undefined) throw unknownCursor();
    return { prompts: [...page.items], ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }) };
  });
  server.setRequestHandler('prompts/get', (request, context) => {
    const { name, arguments: input = {} } = request.params;
    const entry = prompts.get(name);
    if (entry === undefined) throw unknownPrompt(name, [...prompts.keys()]);
    const get = async () => {
      const opened = open(context, { name, input });
      const reply = await replyOf(entry.prompt, input, opened.context);
      if ('failure' in reply) throw protocolFailure(reply.failure);
      if ('pending' in reply) return opened.questions.pendingResult(reply.pending);
      return { description: entry.prompt.description, messages: reply.messages.map(wireMessage) };
    };
    return slots.run<Awaited<ReturnType<typeof get>>>(get, (busy) => {
      throw protocolFailure(busy);
    });
  });
}

async function replyOf(prompt: Prompt, input: unknown, context: RequestContext): Promise<PromptReply> {
  const parsed = prompt.input.safeParse(input);
  if (!parsed.success) return { failure: explainMismatch(prompt.name, parsed.error.issues, {}) };
  try {
    return await prompt.handler(parsed.data, context);
  } catch (thrown) {
    return { failure: toFailure(thrown) };
  }
}

function wireMessage({ role, content }: PromptMessage) {
  return { role, content: typeof content === 'string' ? { type: 'text' as const, text: content } : wirePart(content) };
}

function unknownPrompt(name: string, known: readonly string[]): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no prompt called "${name}" here. Use one of: ${known.join(', ')}.`,
  );
}
