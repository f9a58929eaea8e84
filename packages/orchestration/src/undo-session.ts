import { SessionWorkspace, standingFiles, type UndoOutcome, undoChanges } from '@capstan/workspace';
import { auditChange } from './audit-change.ts';
import type { OrchestrationDeps } from './deps.ts';
import { withHeldSession } from './held-session.ts';

/**
 * Takes a session's newest apply back and records it: a decision row before, a result row and an event after. Throws
 * `unknown-session` or `session-busy`.
 */
export async function undoSession(
  sessionId: string,
  deps: Pick<OrchestrationDeps, 'storage' | 'holder' | 'searchPath' | 'actor'>,
): Promise<{ readonly outcome: UndoOutcome; readonly repository: string }> {
  return withHeldSession(sessionId, deps, async ({ repository, workspace: folder }, lease) => {
    const workspace = await SessionWorkspace.open({ repository, folder, searchPath: deps.searchPath, mustExist: true });
    const session = deps.storage.session(lease);
    const { auditKey } = deps.storage;
    const files = await standingFiles(folder);
    const audit = { tool: 'undo', rule: 'undo-command', actor: deps.actor, auditKey, files } as const;
    const outcome = await auditChange(workspace, session, audit, () => undoChanges(workspace));
    if (outcome.kind === 'undone') {
      await session.events.append(`diff-undo:${outcome.number}`, { type: 'diff-undo', files: [...outcome.files] });
    }
    return { outcome, repository };
  });
}
