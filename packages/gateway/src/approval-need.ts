import type { Tier } from '@capstan/contracts';
import type { FlowDecision } from './flow/sink-table.ts';

export interface ApprovalNeed {
  readonly rule: string;
  /** A standing grant is enough; otherwise a human approves this very call. */
  readonly grantable: boolean;
}

/**
 * Whether a call needs a yes (requirements G3, G6): read is on, write needs one unless contained, dangerous too once it
 * has been enabled. `strict` asks for every write, contained or granted.
 */
export function approvalNeed(
  tier: Tier,
  flow: FlowDecision,
  approvals: 'contained' | 'strict',
): ApprovalNeed | undefined {
  if (flow.requirement === 'exact-approval') return { rule: flow.rule, grantable: false };
  if (tier === 'read') return undefined;
  if (approvals === 'strict') return { rule: `strict-${tier}`, grantable: false };
  return flow.requirement === 'allow' ? undefined : { rule: `tier-${tier}`, grantable: true };
}
