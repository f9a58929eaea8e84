import type { SessionRow } from '@capstan/contracts';
import { SessionWorkspace } from '@capstan/workspace';

/** The workspace of a session. Throws `workspace-lost` when it is gone. */
export async function openSessionWorkspace(session: SessionRow, searchPath: string): Promise<SessionWorkspace> {
  return SessionWorkspace.open({
    repository: session.repository,
    folder: session.workspace,
    searchPath,
    mustExist: true,
  });
}
