import { createHmac } from 'node:crypto';
import { canonicalJson, type SessionStorage } from '@capstan/contracts';
import type { SessionWorkspace } from '@capstan/workspace';

export interface ChangeAudit {
  readonly tool: 'apply' | 'undo';
  /** Who wanted it: the checkout lies outside of the workspace, so changing it is audited like a call. */
  readonly actor: string;
  readonly rule: 'apply-command' | 'apply-grant' | 'undo-command';
  readonly auditKey: Uint8Array;
  readonly files: readonly string[];
}

/** Changes the checkout between two rows of the audit trail: the decision before, the result after. */
export async function auditChange<Outcome extends { readonly kind: string }>(
  workspace: SessionWorkspace,
  session: SessionStorage,
  { tool, actor, rule, auditKey, files }: ChangeAudit,
  change: () => Promise<Outcome>,
): Promise<Outcome> {
  const text = canonicalJson({ repository: workspace.repository.root, files });
  const row = {
    actor,
    agent: rule === 'apply-grant' ? 'run' : 'person',
    server: 'workspace',
    tool,
    callId: `${tool}:${session.lease.sessionId}`,
    argumentDigest: createHmac('sha256', auditKey).update(text).digest('hex'),
    arguments: text,
    rule,
  };
  await session.audit.append({ ...row, kind: 'decision', decision: 'allowed' });
  const outcome = await change();
  await session.audit.append({ ...row, kind: 'result', decision: outcome.kind });
  return outcome;
}
