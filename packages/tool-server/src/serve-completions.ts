import type { Server } from '@modelcontextprotocol/server';
import type { PreparedServer } from './prepare-server.ts';

/** The most values that MCP lets one completion carry. */
const shownValues = 100;

/** Answers `completion/complete` for arguments of prompts and variables of templates; nothing fits where nothing completes. */
export function serveCompletions(server: Server, prepared: PreparedServer): void {
  if (server.getCapabilities().completions === undefined) return;
  server.setRequestHandler('completion/complete', async ({ params }) => {
    const { ref, argument } = params;
    const given = params.context?.arguments ?? {};
    const values =
      ref.type === 'ref/prompt'
        ? await completePrompt(prepared, ref.name, argument, given)
        : await completeTemplate(prepared, ref.uri, argument, given);
    return {
      completion: {
        values: values.slice(0, shownValues),
        total: values.length,
        hasMore: values.length > shownValues,
      },
    };
  });
}

interface Typed {
  readonly name: string;
  readonly value: string;
}
type Given = Readonly<Record<string, string>>;

async function completePrompt({ prompts }: PreparedServer, name: string, typed: Typed, given: Given) {
  const complete = prompts.get(name)?.prompt.complete;
  const one = complete !== undefined && Object.hasOwn(complete, typed.name) ? complete[typed.name] : undefined;
  return (await one?.(typed.value, given)) ?? [];
}

async function completeTemplate({ options }: PreparedServer, uri: string, typed: Typed, given: Given) {
  const template = options.resources?.templates?.find((each) => each.uriTemplate === uri);
  return (await template?.complete?.(typed.name, typed.value, given)) ?? [];
}
