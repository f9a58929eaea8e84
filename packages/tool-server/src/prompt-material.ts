import type { Failure } from '@capstan/contracts';
import type { Tool } from './define-tool.ts';
import type { RequestContext } from './request-context.ts';

/** What a prompt shows a model: the text of a reply, or why there is none. */
export type Material = { readonly text: string } | { readonly failure: Failure };

/** Asks one of a server's own tools for what a prompt shows. For tools without effects that ask the host nothing. */
export async function materialFrom(tool: Tool, input: unknown, context: RequestContext): Promise<Material> {
  const call = { ...context, callId: undefined, progress: () => Promise.resolve() };
  const reply = await tool.handler(tool.input.parse(input), call);
  if ('pending' in reply) throw new TypeError(`${tool.name} asks the host, which a prompt cannot wait for`);
  return 'failure' in reply ? reply : { text: reply.text };
}

/** Marks text as material and not as part of the prompt: the fence is longer than any in the text (pure). */
export function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}
