import { ProtocolError, ProtocolErrorCode, type Server, type ServerContext } from '@modelcontextprotocol/server';
import { answerCall, type CallAnswer, failedCall } from './answer-call.ts';
import type { OpenRequestOf } from './build-server.ts';
import type { ToolContext } from './define-tool.ts';
import type { PreparedServer } from './prepare-server.ts';
import { ProgressSender } from './progress-sender.ts';
import type { RequestContext } from './request-context.ts';

/** Answers `tools/list` and `tools/call`. */
export function serveToolCalls(server: Server, prepared: PreparedServer, open: OpenRequestOf): void {
  const { tools, slots } = prepared;
  server.setRequestHandler('tools/list', () => ({ tools: [...tools.values()].map((entry) => entry.listing) }));
  server.setRequestHandler('tools/call', (request, context) => {
    const { name, arguments: input = {} } = request.params;
    const entry = tools.get(name);
    if (entry === undefined) throw unknownTool(name, [...tools.keys()]);
    const call = async () => {
      const opened = open(context, { name, input });
      const progress = new ProgressSender(context);
      const answer = await answerCall(entry.tool, entry.listing, input, toolContext(context, opened.context, progress));
      await progress.settle();
      return 'pending' in answer ? opened.questions.pendingResult(answer.pending) : wire(answer);
    };
    return slots.run<Awaited<ReturnType<typeof call>>>(call, (busy) => wire(failedCall(busy)));
  });
}

/** The SDK's types want an open object with arrays that may be changed. */
function wire(answer: CallAnswer): CallAnswer & { [key: string]: unknown } {
  return { ...answer };
}

function unknownTool(name: string, known: readonly string[]): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool called "${name}" here. Use one of: ${known.join(', ')}.`,
  );
}

function toolContext(context: ServerContext, request: RequestContext, progress: ProgressSender): ToolContext {
  const callId = context.mcpReq._meta?.['capstan/call-id'];
  return {
    ...request,
    callId: typeof callId === 'string' ? callId : undefined,
    progress: (message) => progress.send(message),
  };
}
