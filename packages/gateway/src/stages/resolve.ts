import { startServer } from '../call-time.ts';
import { type CallState, denied, type Stage } from '../stage.ts';

/** Finds the tool behind a name, starting its server if need be. Blocked and unknown tools end here. */
export const resolve: Stage = {
  name: 'resolve',
  async run(state, next) {
    const { gateway, call, context } = state;
    if (call.id === '')
      return denied(state, 'resolve', 'no-call-id', 'A call needs an id that is stable over restarts.');
    const server = gateway.catalog.serverOf(call.name);
    // The server of a tool that this agent never declared is not started for it: policy refuses the call.
    if (server !== undefined && (context.tools.includes(call.name) || gateway.catalog.get(call.name) !== undefined)) {
      const failure = await startServer(state, server.name);
      if (failure !== undefined) return { kind: 'failed', callId: call.id, failure };
    }
    const tool = gateway.catalog.get(call.name);
    if (tool === undefined) return unknown(state);
    state.tool = tool;
    if (tool.blocked !== undefined)
      return denied(state, 'resolve', tool.blocked.rule, tool.blocked.message, { level: 'fatal' });
    return next();
  },
};

function unknown(state: CallState): ReturnType<typeof denied> {
  const { call, context } = state;
  if (context.tools.includes(call.name))
    return denied(state, 'resolve', 'unknown-tool', `${call.name} is declared, but no server offers it.`);
  return denied(state, 'resolve', 'undeclared-tool', `${call.name} is not a tool of ${context.agent}.`, {
    hint: `Use one of: ${context.tools.join(', ')}.`,
  });
}
