import { Server, type ServerCapabilities, type ServerContext } from '@modelcontextprotocol/server';
import { HostQuestions } from './host-questions.ts';
import type { PreparedServer } from './prepare-server.ts';
import type { RequestContext } from './request-context.ts';
import { serveCompletions } from './serve-completions.ts';
import { servePrompts } from './serve-prompts.ts';
import { serveResources } from './serve-resources.ts';
import { serveToolCalls } from './serve-tool-calls.ts';

/** A request while it is answered: what its handler gets, and the questions that it may leave to the host. */
interface OpenRequest {
  readonly context: RequestContext;
  readonly questions: HostQuestions;
}

/** Opens a request; `parameters` are what its state is bound to. Throws a protocol error for a state that is not its own. */
export type OpenRequestOf = (context: ServerContext, parameters: unknown) => OpenRequest;

/**
 * One MCP server over what was prepared, for one connection or one request. The low-level server is used so that our own
 * checks answer, and JSON Schemas go out as they are.
 */
export function buildServer(prepared: PreparedServer): Server {
  const { name, version, instructions } = prepared.options;
  const server = new Server(
    { name, version },
    {
      capabilities: capabilitiesOf(prepared),
      requestState: { verify: prepared.codec.verify },
      ...(instructions === undefined ? {} : { instructions }),
    },
  );
  const open: OpenRequestOf = (context, parameters) => {
    const questions = new HostQuestions(server, context, prepared.codec, parameters);
    return { questions, context: requestContext(context, questions) };
  };
  serveToolCalls(server, prepared, open);
  serveResources(server, prepared, open);
  servePrompts(server, prepared, open);
  serveCompletions(server, prepared);
  return server;
}

function capabilitiesOf({ options, prompts }: PreparedServer): ServerCapabilities {
  const { resources } = options;
  return {
    tools: {},
    logging: {},
    ...(resources === undefined
      ? {}
      : { resources: { subscribe: resources.watch !== undefined, listChanged: resources.watchList !== undefined } }),
    ...(prompts.size === 0 ? {} : { prompts: {} }),
    ...(completes(options) ? { completions: {} } : {}),
  };
}

function completes({ resources, prompts = [] }: PreparedServer['options']): boolean {
  const byTemplate = resources?.templates?.some((template) => template.complete !== undefined) ?? false;
  return byTemplate || prompts.some((prompt) => prompt.complete !== undefined);
}

function requestContext({ mcpReq }: ServerContext, questions: HostQuestions): RequestContext {
  return {
    signal: mcpReq.signal,
    log: async (level, message) => {
      if (!mcpReq.signal.aborted) await mcpReq.log(level, message);
    },
    sample: (request) => questions.sample(request),
    ask: (requests) => questions.ask(requests),
  };
}
