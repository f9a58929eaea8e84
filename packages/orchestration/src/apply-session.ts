import { createHmac } from 'node:crypto';
import { CapstanError, canonicalJson, type SessionStorage } from '@capstan/contracts';
import { type ApplyOutcome, applyChanges, SessionWorkspace } from '@capstan/workspace';
import type { OrchestrationDeps } from './deps.ts';
import { leaseMilliseconds } from './keep-lease.ts';

export interface ApplyRequest {
  readonly reviewed: boolean;
  /** Who wanted it: `apply` leaves the workspace, so it is audited like a call. */
  readonly actor: string;
  readonly rule: 'apply-command' | 'apply-grant';
  readonly auditKey: Uint8Array;
}

/** Applies a session's changes and records it: a decision row before, a result row and an event after. */
export async function applyAndRecord(
  workspace: SessionWorkspace,
  session: SessionStorage,
  request: ApplyRequest,
): Promise<ApplyOutcome> {
  const { changes } = await workspace.diff();
  const subject = { repository: workspace.repository.root, files: changes.map((change) => change.path) };
  const text = canonicalJson(subject);
  const row = {
    actor: request.actor,
    agent: request.rule === 'apply-command' ? 'person' : 'run',
    server: 'workspace',
    tool: 'apply',
    callId: `apply:${session.lease.sessionId}`,
    argumentDigest: createHmac('sha256', request.auditKey).update(text).digest('hex'),
    arguments: text,
    rule: request.rule,
  };
  await session.audit.append({ ...row, kind: 'decision', decision: 'allowed' });
  const outcome = await applyChanges(workspace, { reviewed: request.reviewed });
  await session.audit.append({ ...row, kind: 'result', decision: outcome.kind });
  if (outcome.kind === 'applied') {
    const key = `diff-apply:${await workspace.snapshot()}`;
    await session.events.append(key, { type: 'diff-apply', files: [...outcome.files] });
  }
  return outcome;
}

/** Applies a session by a person's command. Throws `unknown-session` or `session-busy`. */
export async function applySession(
  sessionId: string,
  { reviewed, unverified }: { readonly reviewed: boolean; readonly unverified: boolean },
  deps: Pick<OrchestrationDeps, 'storage' | 'holder' | 'searchPath' | 'actor'>,
): Promise<{ readonly outcome: ApplyOutcome | { readonly kind: 'unverified' }; readonly repository: string }> {
  const row = await deps.storage.findSession(sessionId);
  if (!row) {
    throw new CapstanError('unknown-session', `There is no session ${sessionId}.`, {
      hint: 'Session ids are printed when a run starts and in its last event.',
    });
  }
  const lease = await deps.storage.acquireLease(sessionId, deps.holder, leaseMilliseconds);
  if (!lease) {
    throw new CapstanError('session-busy', `Session ${sessionId} is being run by another process.`, {
      hint: 'Wait until its run has ended.',
    });
  }
  try {
    const { repository, workspace: folder } = row;
    const workspace = await SessionWorkspace.open({ repository, folder, searchPath: deps.searchPath, mustExist: true });
    if (!unverified && !(await isVerified(deps, sessionId))) return { outcome: { kind: 'unverified' }, repository };
    const request = { reviewed, actor: deps.actor, rule: 'apply-command', auditKey: deps.storage.auditKey } as const;
    return { outcome: await applyAndRecord(workspace, deps.storage.session(lease), request), repository };
  } finally {
    await deps.storage.releaseLease(lease);
  }
}

/** Whether the last run of the session ended with its changes verified, whatever kept them from being applied then. */
async function isVerified({ storage }: Pick<OrchestrationDeps, 'storage'>, sessionId: string): Promise<boolean> {
  const rows = await storage.readEvents(sessionId);
  const end = rows.findLast((row) => row.body.type === 'run-end')?.body;
  if (end?.type !== 'run-end') return false;
  return end.status === 'done' || end.verification?.verdict === 'verified';
}
