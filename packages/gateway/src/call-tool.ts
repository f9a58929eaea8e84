import { type CallContext, type CallOutcome, type ToolCall, toFailure } from '@capstan/contracts';
import { argumentDigest } from './digest.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { runStages, type Stage } from './stage.ts';
import { approval } from './stages/approval.ts';
import { audit } from './stages/audit.ts';
import { cache } from './stages/cache.ts';
import { capAndStore } from './stages/cap-and-store.ts';
import { execute } from './stages/execute.ts';
import { informationFlow } from './stages/information-flow.ts';
import { limitsAndBreaker } from './stages/limits-and-breaker.ts';
import { policy } from './stages/policy.ts';
import { resolve } from './stages/resolve.ts';
import { scanAndLabel } from './stages/scan-and-label.ts';
import { validate } from './stages/validate.ts';

/** The chain of requirement G1, in its order. */
export const allStages: readonly Stage[] = [
  audit,
  resolve,
  validate,
  policy,
  informationFlow,
  limitsAndBreaker,
  approval,
  cache,
  execute,
  scanAndLabel,
  capAndStore,
];

/** The only way to a tool. Never throws and never waits for people: every end is a value. */
export async function callTool(gateway: GatewayParts, call: ToolCall, context: CallContext): Promise<CallOutcome> {
  try {
    const digest = argumentDigest(gateway.options.auditKey, call);
    const state = { gateway, call, context, argumentDigest: digest, permission: { rule: 'none' } };
    return await runStages(gateway.stages, state);
  } catch (thrown) {
    return { kind: 'failed', callId: call.id, failure: toFailure(thrown) };
  }
}
