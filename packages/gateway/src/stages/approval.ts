import type { Approval, CallOutcome } from '@capstan/contracts';
import { type ApprovalNeed, approvalNeed } from '../approval-need.ts';
import { describeDryRun } from '../describe-dry-run.ts';
import { isDryRun } from '../is-dry-run.ts';
import { matchingGrant } from '../matching-grant.ts';
import { type CallState, denied, type Stage } from '../stage.ts';
import { summariseCall } from '../summarise-call.ts';

const asTier = { requirement: 'as-tier', rule: 'tier' } as const;

/**
 * Asks for a yes where one is needed. An approval belongs to one call: its id and the digest of its arguments; it is
 * used up by that call and expires. Never waits: the question is the outcome.
 */
export const approval: Stage = {
  name: 'approval',
  async run(state, next) {
    const { tool, gateway, flow = asTier } = state;
    if (tool === undefined) return next();
    const need = approvalNeed(tool.definition.tier, flow, gateway.options.approvals);
    if (state.context.dryRun === true && !tool.dryRun && tool.definition.tier !== 'read') return noDryRun(state);
    if (isDryRun(state)) state.permission = { rule: 'dry-run' };
    else if (need === undefined) state.permission = { rule: flow.rule };
    else if (!(need.grantable && (await isGranted(state)))) return settle(state, need, next);
    return next();
  },
};

async function isGranted(state: CallState): Promise<boolean> {
  const { session, clock } = state.gateway.options;
  const grant = matchingGrant(await session.approvals.grants(), state.call, clock.now());
  if (grant === undefined) return false;
  state.permission = { rule: `grant/${grant.id}`, approvedBy: grant.grantedBy };
  return true;
}

async function settle(state: CallState, need: ApprovalNeed, next: () => Promise<CallOutcome>): Promise<CallOutcome> {
  const { session, clock } = state.gateway.options;
  const { call, argumentDigest } = state;
  const row = await session.approvals.find(call.id, argumentDigest);
  if (row === undefined) return ask(state, need);
  // The row of a call that was cut off after its approval was used: the journal keeps it from running twice.
  if (row.status === 'used') return approved(state, need, row, next);
  if (row.status === 'denied') return refused(state, 'denied-by-human', `${row.decidedBy ?? 'A person'} said no.`);
  if (row.status === 'expired' || row.expiresAt <= clock.now())
    return refused(state, 'approval-expired', 'Nobody approved the call in time.');
  if (row.status === 'waiting') return question(state, row);
  if (await session.approvals.consume(call.id, argumentDigest)) return approved(state, need, row, next);
  return refused(state, 'approval-expired', 'The approval could not be used any more.');
}

function approved(
  state: CallState,
  need: ApprovalNeed,
  { decidedBy }: Approval,
  next: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  state.permission = { rule: need.rule, ...(decidedBy === undefined ? {} : { approvedBy: decidedBy }) };
  return next();
}

async function ask(state: CallState, need: ApprovalNeed): Promise<CallOutcome> {
  const { session, clock, approvalMilliseconds } = state.gateway.options;
  const summary = await summaryOf(state);
  if (summary === undefined) return tooLarge(state);
  const row = await session.approvals.request({
    callId: state.call.id,
    argumentDigest: state.argumentDigest,
    tool: state.call.name,
    rule: need.rule,
    summary,
    expiresAt: clock.now() + approvalMilliseconds,
  });
  return question(state, row);
}

async function summaryOf(state: CallState): Promise<string | undefined> {
  const { call, gateway } = state;
  const preview = await describeDryRun(state);
  return summariseCall({ tool: call.name, input: call.arguments, preview, redact: gateway.options.redact });
}

function tooLarge(state: CallState): CallOutcome {
  const message = `${state.call.name} needs a yes, and the call is too large for a person to look through.`;
  return denied(state, 'approval', 'too-large-to-show', message, { hint: 'Split it into several smaller calls.' });
}

function question({ call }: CallState, row: Approval): CallOutcome {
  const { argumentDigest, rule, summary } = row;
  return { kind: 'approval-required', callId: call.id, argumentDigest, rule, summary };
}

function noDryRun(state: CallState): CallOutcome {
  return denied(state, 'approval', 'no-dry-run', `${state.call.name} cannot say what it would do without doing it.`);
}

function refused(state: CallState, rule: string, message: string): CallOutcome {
  return denied(state, 'approval', rule, message, { level: 'fatal' });
}
