import { type AuditDraft, type CallOutcome, canonicalJson, toFailure } from '@capstan/contracts';
import { keyedDigest } from '../digest.ts';
import type { CallState, Stage } from '../stage.ts';

/** Longer arguments are cut in the row; their digest covers all of them. Characters. */
const longestArguments = 2_000;

/**
 * Wraps the chain (requirement G11): a decision row before anything is sent, a result row after it, and a row for every
 * other end, denials and bugs included. Where a row cannot be written, nothing is sent.
 */
export const audit: Stage = {
  name: 'audit',
  async run(state, next) {
    const started = state.gateway.options.clock.steady();
    let decided = false;
    state.beforeExecute = async () => {
      decided = true;
      await append(state, { kind: 'decision', decision: 'allowed', rule: state.permission.rule });
    };
    const outcome = await next().catch((thrown) => failedBy(state, thrown));
    if (!decided) await append(state, { kind: 'decision', ...decisionOf(state, outcome) });
    if (decided || outcome.kind === 'result') {
      await append(state, {
        kind: 'result',
        decision: outcome.kind,
        rule: state.permission.rule,
        resultDigest: keyedDigest(state.gateway.options.auditKey, 'result', outcome),
        durationMs: state.gateway.options.clock.steady() - started,
      });
    }
    return outcome;
  },
};

function failedBy(state: CallState, thrown: unknown): CallOutcome {
  return { kind: 'failed', callId: state.call.id, failure: toFailure(thrown) };
}

function decisionOf(state: CallState, outcome: CallOutcome): { decision: string; rule: string } {
  switch (outcome.kind) {
    case 'denied':
      return { decision: 'denied', rule: `${outcome.stage}/${outcome.rule}` };
    case 'approval-required':
      return { decision: 'approval-required', rule: outcome.rule };
    case 'failed':
      return { decision: 'failed', rule: outcome.failure.code };
    default:
      return { decision: 'allowed', rule: state.permission.rule };
  }
}

type Finding = Pick<AuditDraft, 'kind' | 'decision' | 'rule' | 'resultDigest' | 'durationMs'>;

async function append(state: CallState, finding: Finding): Promise<void> {
  const { call, context, gateway, permission, tool } = state;
  const approvedBy = permission.approvedBy;
  await gateway.options.session.audit.append({
    ...finding,
    actor: context.actor,
    agent: context.agent,
    server: tool?.definition.server ?? gateway.catalog.serverOf(call.name)?.name ?? '',
    tool: tool?.definition.tool ?? call.name,
    callId: call.id,
    argumentDigest: state.argumentDigest,
    arguments: shown(state),
    ...(approvedBy === undefined ? {} : { approvedBy }),
  });
}

function shown({ call, gateway }: CallState): string {
  const text = gateway.options.redact(canonicalJson(call.arguments));
  return text.length <= longestArguments ? text : `${text.slice(0, longestArguments)}... (${text.length} characters)`;
}
