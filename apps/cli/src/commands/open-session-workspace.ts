import { CapstanError, type SessionRow } from '@capstan/contracts';
import { SessionWorkspace } from '@capstan/workspace';

/** The workspace of a session. Throws `workspace-lost` when it is gone. */
export async function openSessionWorkspace(session: SessionRow, searchPath: string): Promise<SessionWorkspace> {
  if (session.status === 'closed') {
    throw new CapstanError('workspace-lost', `Session ${session.sessionId} is archived: its workspace was removed.`, {
      hint: `Its log is still there, with the diff: capstan trace ${session.sessionId} --json`,
    });
  }
  return SessionWorkspace.open({
    repository: session.repository,
    folder: session.workspace,
    searchPath,
    mustExist: true,
  });
}
