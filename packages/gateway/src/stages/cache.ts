import { keyedDigest } from '../digest.ts';
import type { CallState, Stage } from '../stage.ts';

/**
 * Answers identical calls of pure read tools once per state of the workspace (requirement G14). The key holds who asks,
 * what was granted, the labels held and the digest of the workspace; without that digest nothing is kept, because files
 * also change outside of the gateway.
 */
export const cache: Stage = {
  name: 'cache',
  async run(state, next) {
    const key = await keyOf(state);
    if (key === undefined) return next();
    const known = state.gateway.cache.get(key);
    if (known !== undefined) {
      state.permission = { rule: 'cache' };
      return { kind: 'result', callId: state.call.id, result: known };
    }
    const outcome = await next();
    // What changed while the tool worked must not be kept under the state before.
    const isStable = outcome.kind === 'result' && !outcome.result.isError && (await keyOf(state)) === key;
    if (isStable) state.gateway.cache.set(key, outcome.result);
    return outcome;
  },
};

async function keyOf(state: CallState): Promise<string | undefined> {
  const { call, context, gateway, tool } = state;
  const { auditKey, session, workspaceState } = gateway.options;
  if (workspaceState === undefined || tool === undefined) return undefined;
  const isPure = tool.spec.trust === 'official' && tool.spec.pure?.includes(tool.definition.tool) === true;
  if (!isPure || tool.definition.tier !== 'read') return undefined;
  return keyedDigest(auditKey, 'cache', {
    session: context.sessionId,
    actor: context.actor,
    agent: context.agent,
    grants: await session.approvals.grants(),
    labels: [await gateway.taint.current(), call.taint],
    workspace: await workspaceState(),
    tool: [call.name, tool.pin],
    arguments: call.arguments,
  });
}
