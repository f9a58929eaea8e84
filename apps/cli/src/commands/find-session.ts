import { CapstanError, type SessionRow } from '@capstan/contracts';
import type { Storage } from '@capstan/storage';
import { checkoutAt } from './checkout-at.ts';

/** So many candidates are named; more would not be read. */
const mostCandidates = 5;

/**
 * The session that a person means: by its id, by a beginning of it that no other has (with or without `session-`), or by
 * `last`, the newest of the checkout they stand in, else of all. Throws `unknown-session` or `ambiguous-session`.
 */
export async function findSession(
  word: string,
  storage: Pick<Storage, 'listSessions'>,
  currentFolder: string,
): Promise<SessionRow> {
  const newestFirst = (await storage.listSessions()).toReversed();
  const exact = newestFirst.find((row) => row.sessionId === word);
  if (exact) return exact;
  if (word === 'last') return lastSession(newestFirst, await checkoutAt(currentFolder));
  const matching = word === '' ? [] : newestFirst.filter((row) => startsWith(row.sessionId, word));
  const [only, ...more] = matching;
  if (!only) throw unknown(`There is no session ${word}.`);
  if (more.length > 0) throw ambiguous(word, matching);
  return only;
}

function lastSession(newestFirst: readonly SessionRow[], checkout: string | undefined): SessionRow {
  const here = checkout === undefined ? newestFirst : newestFirst.filter((row) => row.repository === checkout);
  const [newest] = here;
  if (newest) return newest;
  throw unknown(checkout === undefined ? 'There is no session yet.' : `There is no session of ${checkout} yet.`);
}

function startsWith(sessionId: string, word: string): boolean {
  return sessionId.startsWith(word) || sessionId.startsWith(`session-${word}`);
}

function unknown(message: string): CapstanError {
  return new CapstanError('unknown-session', message, {
    hint: 'List them: capstan sessions --all. The id is also printed when a run starts, and in its last event.',
  });
}

function ambiguous(word: string, matching: readonly SessionRow[]): CapstanError {
  const named = matching.slice(0, mostCandidates).map((row) => row.sessionId);
  const rest = matching.length > named.length ? ` and ${matching.length - named.length} more` : '';
  return new CapstanError('ambiguous-session', `${matching.length} sessions begin with ${word}.`, {
    hint: `Give more of the id: ${named.join(', ')}${rest}`,
  });
}
