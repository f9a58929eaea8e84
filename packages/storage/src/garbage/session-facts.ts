import type { Clock, EventBody } from '@capstan/contracts';
import type { FileBlobStore } from '../blob-store.ts';
import type { Database } from '../database.ts';
import type { Leases } from '../leases.ts';
import { number, optionalText, parseStored, type Row, text } from '../row.ts';
import type { SessionFacts } from './judge-session.ts';

type RunEnd = Extract<EventBody, { type: 'run-end' }>;

export interface FactsDeps {
  readonly database: Database;
  readonly leases: Leases;
  readonly blobs: FileBlobStore;
  readonly clock: Clock;
}

/** The facts of every session that is not archived, or of one of them; oldest use first. */
export function sessionFacts(deps: FactsDeps, sessionId: string | null = null): SessionFacts[] {
  const sql = `SELECT session_id, created_at, last_used_at FROM sessions
    WHERE archived_at IS NULL AND (?1 IS NULL OR session_id = ?1) ORDER BY last_used_at, rowid`;
  return deps.database.all(sql, sessionId).map((row) => factsOf(deps, row));
}

function factsOf(deps: FactsDeps, row: Row): SessionFacts {
  const sessionId = text(row, 'session_id');
  const run = deps.database.get('SELECT status FROM runs WHERE session_id = ? ORDER BY number DESC LIMIT 1', sessionId);
  const ended = lastOf(deps, sessionId, 'run-end:');
  const end = ended === undefined ? undefined : runEnd(deps.blobs, ended);
  const at = (beginning: string) => numberOf(lastOf(deps, sessionId, beginning));
  const [applied, undone] = [at('diff-apply:'), at('diff-undo:')];
  // A later life of the run may have begun since.
  const isOver = run !== undefined && text(run, 'status') !== 'running';
  return {
    sessionId,
    createdAt: number(row, 'created_at'),
    lastUsedAt: number(row, 'last_used_at'),
    held: deps.leases.isHeld(sessionId),
    end: isOver ? end?.status : undefined,
    asks: isOver && end !== undefined && mayAsk(end) && hasOpenQuestion(deps, sessionId),
    changes: end === undefined || end.files.length > 0,
    applied: applied >= undone && (applied > numberOf(ended) || end?.applied === true),
  };
}

const unasked = ['stopped', 'held-for-review', 'checkout-moved', 'not-verified'];

/** A stop, and a diff that was not applied, ask nothing: they can be taken up again, and grow old. */
function mayAsk({ status, failure }: RunEnd): boolean {
  return status === 'waiting' && !unasked.includes(failure?.code ?? '');
}

/** A question that nobody answered in time is a no, though no process may have come by to say so. */
function hasOpenQuestion({ database, clock }: FactsDeps, sessionId: string): boolean {
  const sql = `SELECT 1 FROM approvals WHERE session_id = ? AND status = 'waiting' AND expires_at > ? LIMIT 1`;
  return database.get(sql, sessionId, clock.now()) !== undefined;
}

function numberOf(row: Row | undefined): number {
  return row === undefined ? 0 : number(row, 'number');
}

/** The newest event whose key has this beginning. */
function lastOf({ database }: FactsDeps, sessionId: string, beginning: string): Row | undefined {
  const sql = `SELECT number, body, blob FROM events WHERE session_id = ? AND key >= ? AND key < ?
    ORDER BY number DESC LIMIT 1`;
  return database.get(sql, sessionId, beginning, `${beginning}\uffff`);
}

/** Undefined when it lies in a blob that cannot be read: then nothing is known, and the session stays longest. */
function runEnd(blobs: FileBlobStore, row: Row): RunEnd | undefined {
  const body = optionalText(row, 'body') ?? blobs.textIfWhole(text(row, 'blob'));
  return body === undefined ? undefined : parseStored<RunEnd>(body);
}
