import type { SessionStorage } from '@capstan/contracts';
import { type ApplyOutcome, applyChanges, SessionWorkspace } from '@capstan/workspace';
import { auditChange } from './audit-change.ts';
import type { OrchestrationDeps } from './deps.ts';
import { withHeldSession } from './held-session.ts';
import { isVerified } from './is-verified.ts';

export interface ApplyRequest {
  readonly reviewed: boolean;
  readonly actor: string;
  readonly rule: 'apply-command' | 'apply-grant';
  readonly auditKey: Uint8Array;
}

/** Applies a session's changes and records it: a decision row before, a result row and an event after. */
export async function applyAndRecord(
  workspace: SessionWorkspace,
  session: SessionStorage,
  { reviewed, ...who }: ApplyRequest,
): Promise<ApplyOutcome> {
  const { changes } = await workspace.diff();
  const audit = { ...who, tool: 'apply', files: changes.map((change) => change.path) } as const;
  const outcome = await auditChange(workspace, session, audit, () => applyChanges(workspace, { reviewed }));
  // A process that died after the last file left no event: then the checkout has it all already.
  if ((outcome.kind === 'applied' || outcome.kind === 'present') && outcome.number !== undefined) {
    const key = `diff-apply:${outcome.number}`;
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
  return withHeldSession(sessionId, deps, async ({ repository, workspace: folder }, lease) => {
    const workspace = await SessionWorkspace.open({ repository, folder, searchPath: deps.searchPath, mustExist: true });
    if (!unverified && !(await endedVerified(deps, sessionId))) return { outcome: { kind: 'unverified' }, repository };
    const request = { reviewed, actor: deps.actor, rule: 'apply-command', auditKey: deps.storage.auditKey } as const;
    return { outcome: await applyAndRecord(workspace, deps.storage.session(lease), request), repository };
  });
}

/** Whether the last run of the session ended with its changes verified, whatever kept them from being applied then. */
async function endedVerified({ storage }: Pick<OrchestrationDeps, 'storage'>, sessionId: string): Promise<boolean> {
  const rows = await storage.readEvents(sessionId);
  const end = rows.findLast((row) => row.body.type === 'run-end')?.body;
  return end?.type === 'run-end' && isVerified(end);
}
