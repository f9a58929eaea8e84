import { CapstanError } from '@capstan/contracts';
import type { Storage } from '@capstan/storage';
import { SessionWorkspace } from '@capstan/workspace';

/** The workspace of a session that exists. Throws `unknown-session`. */
export async function openSessionWorkspace(
  storage: Storage,
  sessionId: string,
  searchPath: string,
): Promise<SessionWorkspace> {
  const session = await storage.findSession(sessionId);
  if (!session) {
    throw new CapstanError('unknown-session', `There is no session ${sessionId}.`, {
      hint: 'Session ids are printed when a run starts and in its last event.',
    });
  }
  return SessionWorkspace.open({
    repository: session.repository,
    folder: session.workspace,
    searchPath,
    mustExist: true,
  });
}
