import type { CallContext, CallOutcome, Failure, ToolCall, ToolResult } from '@capstan/contracts';
import type { CatalogTool } from './catalog/catalog-tool.ts';
import type { FlowDecision } from './flow/sink-table.ts';
import type { GatewayParts } from './gateway-parts.ts';

/** The stages in the order in which a call passes them (requirement G1); `audit` wraps the others. */
export const stageNames = [
  'audit',
  'resolve',
  'validate',
  'policy',
  'information-flow',
  'limits-and-breaker',
  'approval',
  'cache',
  'execute',
  'scan-and-label',
  'cap-and-store',
] as const;
export type StageName = (typeof stageNames)[number];

/** What is known of a call on its way. Each stage reads what earlier ones found, and adds its own finding. */
export interface CallState {
  readonly gateway: GatewayParts;
  readonly call: ToolCall;
  readonly context: CallContext;
  /** Keyed HMAC over tool name and arguments: what an approval is bound to. */
  readonly argumentDigest: string;
  /** Set by `resolve`. */
  tool?: CatalogTool;
  /** Set by `information-flow`. */
  flow?: FlowDecision;
  /** Why the call may run, and who said so: set by `approval`. */
  permission: { readonly rule: string; readonly approvedBy?: string };
  /** Set by `audit`: leaves the decision row. `execute` awaits it before anything is sent. */
  beforeExecute?: () => Promise<void>;
  /** Set by `execute`, replaced by the stages after it. */
  result?: ToolResult;
}

/** One link of the chain: passes the call on with `next`, or ends it with an outcome of its own. */
export interface Stage {
  readonly name: StageName;
  run(state: CallState, next: () => Promise<CallOutcome>): Promise<CallOutcome>;
}

/** Sends a call through the stages. At the end of the chain the result becomes the outcome. */
export function runStages(stages: readonly Stage[], state: CallState, from = 0): Promise<CallOutcome> {
  const stage = stages[from];
  if (stage !== undefined) return stage.run(state, () => runStages(stages, state, from + 1));
  return Promise.resolve(endOfChain(state));
}

function endOfChain({ call, result }: CallState): CallOutcome {
  if (result !== undefined) return { kind: 'result', callId: call.id, result };
  const failure: Failure = { level: 'fatal', code: 'internal', message: 'No stage executed the call.' };
  return { kind: 'failed', callId: call.id, failure };
}

/** A refusal by a rule. `param` lets a model try something else; `fatal` ends the run. */
export function denied(
  state: CallState,
  stage: StageName,
  rule: string,
  message: string,
  more: Partial<Failure> = {},
): CallOutcome {
  const failure: Failure = { level: 'param', code: 'denied', message, ...more };
  return { kind: 'denied', callId: state.call.id, stage, rule, failure };
}
