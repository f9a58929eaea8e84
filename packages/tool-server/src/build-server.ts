import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from '@modelcontextprotocol/server';
import { answerCall } from './answer-call.ts';
import type { Tool, ToolContext } from './define-tool.ts';
import { describeTool, type ToolListing } from './describe-tool.ts';
import { ProgressSender } from './progress-sender.ts';

export interface ServerOptions {
  readonly name: string;
  readonly version: string;
  /** For the host's model: how the tools belong together. */
  readonly instructions?: string;
  readonly tools: readonly Tool[];
}

interface Entry {
  readonly tool: Tool;
  readonly listing: ToolListing;
}

/**
 * One MCP server over the given tools. The low-level server is used so that our own argument check answers, and JSON
 * Schemas go out as they are. Throws when two tools share a name.
 */
export function buildServer(options: ServerOptions): Server {
  const entries = entriesOf(options.tools);
  const server = new Server(
    { name: options.name, version: options.version },
    {
      capabilities: { tools: {} },
      ...(options.instructions === undefined ? {} : { instructions: options.instructions }),
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [...entries.values()].map((entry) => entry.listing) }));
  server.setRequestHandler('tools/call', async (request, context) => {
    const { name, arguments: input = {} } = request.params;
    const entry = entries.get(name);
    if (entry === undefined) throw unknownTool(name, [...entries.keys()]);
    const progress = new ProgressSender(context);
    const answer = await answerCall(entry.tool, entry.listing, input, toolContext(context, progress));
    await progress.settle();
    return { ...answer, content: [...answer.content] };
  });
  return server;
}

function entriesOf(tools: readonly Tool[]): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const tool of tools) {
    if (entries.has(tool.name)) throw new TypeError(`Two tools are called ${tool.name}`);
    entries.set(tool.name, { tool, listing: describeTool(tool) });
  }
  return entries;
}

function unknownTool(name: string, known: readonly string[]): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool called "${name}" here. Use one of: ${known.join(', ')}.`,
  );
}

function toolContext(context: ServerContext, progress: ProgressSender): ToolContext {
  const callId = context.mcpReq._meta?.['capstan/call-id'];
  return {
    signal: context.mcpReq.signal,
    callId: typeof callId === 'string' ? callId : undefined,
    progress: (message) => progress.send(message),
  };
}
