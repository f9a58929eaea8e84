import {
  CapstanError,
  type Clock,
  type EventBody,
  type EventLog,
  type EventRow,
  type EventType,
  type Lease,
  sizes,
} from '@capstan/contracts';
import { redactValue } from '@capstan/telemetry';
import type { ArchiveFolder } from './archive.ts';
import type { FileBlobStore } from './blob-store.ts';
import { recordUses, referencesIn } from './blob-uses.ts';
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
    const json = JSON.stringify(kept);
    return database.write(() => {
      leases.check(this.#lease);
      const first = findByKey(database, sessionId, key);
      if (first !== undefined) return eventRow(this.#deps.blobs, first);
      const at = clock.now();
      const next = nextNumber(database, sessionId);
      const stored = this.#store(json);
      const sql = 'INSERT INTO events (session_id, number, key, at, body, blob) VALUES (?, ?, ?, ?, ?, ?)';
      database.run(sql, sessionId, next, key, at, stored.body, stored.blob);
      recordUses(database, sessionId, [...(stored.blob === null ? [] : [stored.blob]), ...referencesIn(json)]);
      return { sessionId, number: next, at, body: kept };
    });
  }

  async read(after = 0): Promise<EventRow[]> {
    return eventRows(this.#deps, this.#lease.sessionId, after).map((row) => eventRow(this.#deps.blobs, row));
  }

  /** A large body goes to the blob store before the row is there: a row never names a blob that is not. */
  #store(body: string): { body: string | null; blob: string | null } {
    if (Buffer.byteLength(body) <= sizes.blobThreshold) return { body, blob: null };
    return { body: null, blob: this.#deps.blobs.putNow(Buffer.from(body)) };
  }
}

/**
 * Rows after a number, in order; readers need no lease. Where a body is lost, a `blob-miss` stands in its place: people
 * see the rest. Whoever goes on with a run reads by `SqliteEventLog.read`, which fails then.
 */
export function readEvents(deps: ReadDeps, sessionId: string, after: number): EventRow[] {
  const rows = eventRows(deps, sessionId, after);
  if (rows.length > 0) return rows.map((row) => readable(deps.blobs, row));
  if (!isArchived(deps.database, sessionId)) return [];
  return deps.archive.read(sessionId)?.events.filter((event) => event.number > after) ?? [];
}

/** The newest event of a type, found by its key: keys begin with their type. A lost body counts as none. */
export function readLatestEvent(deps: ReadDeps, sessionId: string, type: EventType): EventRow | undefined {
  const sql = 'SELECT * FROM events WHERE session_id = ? AND key >= ? AND key < ? ORDER BY number DESC LIMIT 1';
  const row = deps.database.get(sql, sessionId, `${type}:`, `${type};`);
  const event = row && readable(deps.blobs, row);
  return event?.body.type === type ? event : undefined;
}

export interface ReadDeps extends Pick<EventDeps, 'database' | 'blobs'> {
  readonly archive: ArchiveFolder;
}

function eventRows(deps: Pick<EventDeps, 'database'>, sessionId: string, after: number): Row[] {
  const sql = 'SELECT * FROM events WHERE session_id = ? AND number > ? ORDER BY number';
  return deps.database.all(sql, sessionId, after);
}

function isArchived(database: Database, sessionId: string): boolean {
  const sql = 'SELECT 1 FROM sessions WHERE session_id = ? AND archived_at IS NOT NULL';
  return database.get(sql, sessionId) !== undefined;
}

function readable(blobs: FileBlobStore, row: Row): EventRow {
  const sha256 = optionalText(row, 'blob');
  if (sha256 === undefined || blobs.textIfWhole(sha256) !== undefined) return eventRow(blobs, row);
  const place = { sessionId: text(row, 'session_id'), number: number(row, 'number'), at: number(row, 'at') };
  return { ...place, body: { type: 'blob-miss', sha256 } };
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
  throw new CapstanError('storage-failed', `An event refers to a blob that is missing: ${blobs.fileOf(sha256)}`, {
    hint: 'Bring the file back from a copy of the data folder; what else the session did can still be read',
  });
}
