import {
  CapstanError,
  type Clock,
  type EventBody,
  type EventLog,
  type EventRow,
  type Lease,
  sizes,
} from '@capstan/contracts';
import { redactValue } from '@capstan/telemetry';
import type { FileBlobStore } from './blob-store.ts';
import type { Database } from './database.ts';
import type { Leases } from './leases.ts';
import { number, optionalText, parseStored, type Row, text } from './row.ts';

export interface EventDeps {
  readonly database: Database;
  readonly leases: Leases;
  readonly blobs: FileBlobStore;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
}

/** The event log of one session, for the holder of its lease. What is stored and returned is redacted. */
export class SqliteEventLog implements EventLog {
  readonly #deps: EventDeps;
  readonly #lease: Lease;

  constructor(deps: EventDeps, lease: Lease) {
    this.#deps = deps;
    this.#lease = lease;
  }

  async append(key: string, body: EventBody): Promise<EventRow> {
    const { database, leases, clock } = this.#deps;
    const { sessionId } = this.#lease;
    const kept = redactBody(body, this.#deps.redact);
    const stored = this.#store(key, JSON.stringify(kept));
    return database.write(() => {
      leases.check(this.#lease);
      const first = findByKey(database, sessionId, key);
      if (first !== undefined) return eventRow(this.#deps.blobs, first);
      const at = clock.now();
      const next = nextNumber(database, sessionId);
      const sql = 'INSERT INTO events (session_id, number, key, at, body, blob) VALUES (?, ?, ?, ?, ?, ?)';
      database.run(sql, sessionId, next, key, at, stored.body, stored.blob);
      return { sessionId, number: next, at, body: kept };
    });
  }

  async read(after = 0): Promise<EventRow[]> {
    return readEvents(this.#deps, this.#lease.sessionId, after);
  }

  /** A large body goes to the blob store before the transaction: a row never names a blob that is not there. */
  #store(key: string, body: string): { body: string | null; blob: string | null } {
    if (Buffer.byteLength(body) <= sizes.blobThreshold) return { body, blob: null };
    const repeated = findByKey(this.#deps.database, this.#lease.sessionId, key) !== undefined;
    return repeated ? { body, blob: null } : { body: null, blob: this.#deps.blobs.putNow(Buffer.from(body)) };
  }
}

/** Rows after a number, in order; readers need no lease. */
export function readEvents(deps: Pick<EventDeps, 'database' | 'blobs'>, sessionId: string, after: number): EventRow[] {
  const sql = 'SELECT * FROM events WHERE session_id = ? AND number > ? ORDER BY number';
  return deps.database.all(sql, sessionId, after).map((row) => eventRow(deps.blobs, row));
}

/** The type is ours, never secret, and readers depend on it. */
function redactBody(body: EventBody, redact: (text: string) => string): EventBody {
  return { ...redactValue(body, redact), type: body.type } as EventBody;
}

function findByKey(database: Database, sessionId: string, key: string): Row | undefined {
  return database.get('SELECT * FROM events WHERE session_id = ? AND key = ?', sessionId, key);
}

function nextNumber(database: Database, sessionId: string): number {
  const row = database.get('SELECT coalesce(max(number), 0) AS last FROM events WHERE session_id = ?', sessionId);
  return (row === undefined ? 0 : number(row, 'last')) + 1;
}

function eventRow(blobs: FileBlobStore, row: Row): EventRow {
  const blob = optionalText(row, 'blob');
  const body = blob === undefined ? text(row, 'body') : blobText(blobs, blob);
  return {
    sessionId: text(row, 'session_id'),
    number: number(row, 'number'),
    at: number(row, 'at'),
    body: parseStored<EventBody>(body),
  };
}

function blobText(blobs: FileBlobStore, sha256: string): string {
  const bytes = blobs.getNow(sha256);
  if (bytes !== undefined) return Buffer.from(bytes).toString('utf8');
  throw new CapstanError('storage-failed', `An event refers to a blob that is missing: ${sha256}`, {
    hint: 'Bring back the folder "blobs" of the data folder from a copy',
  });
}
