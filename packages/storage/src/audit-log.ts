import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type AuditDraft,
  type AuditLog,
  type AuditRow,
  CapstanError,
  type Clock,
  canonicalJson,
  type Lease,
} from '@capstan/contracts';
import { auditColumns, auditRow, auditValues } from './audit-row.ts';
import type { Database } from './database.ts';
import type { Leases } from './leases.ts';
import { number, type Row, text } from './row.ts';

export type AuditVerdict =
  | { readonly ok: true; readonly rows: number }
  | { readonly ok: false; readonly number: number; readonly reason: string };

export interface AuditFilter {
  readonly sessionId?: string;
  readonly callId?: string;
  /** Rows with a greater number. */
  readonly after?: number;
}

export interface AuditDeps {
  readonly database: Database;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  readonly key: Uint8Array;
}

interface Head {
  readonly count: number;
  readonly hash: string;
}

const firstHash = '0'.repeat(64);

/**
 * One chain of keyed hashes over the whole data folder. A sealed head says how many rows there are, so that rows cut
 * off at the end are missed too. Whoever has the key can forge both: it protects against changes by everything else.
 */
export class SqliteAuditLog implements AuditLog {
  readonly #deps: AuditDeps;
  readonly #lease: Lease;

  constructor(deps: AuditDeps, lease: Lease) {
    this.#deps = deps;
    this.#lease = lease;
  }

  /** Throws `audit-broken` when the head was changed: going on would seal what happened. */
  async append(draft: AuditDraft): Promise<AuditRow> {
    const { database, key } = this.#deps;
    return database.write(() => {
      this.#deps.leases.check(this.#lease);
      const head = readHead(database, key);
      if (typeof head === 'string') throw new CapstanError('audit-broken', `The audit log was changed: ${head}`);
      const content: Omit<AuditRow, 'hash'> = {
        ...draft,
        arguments: this.#deps.redact(draft.arguments),
        number: head.count + 1,
        at: this.#deps.clock.now(),
        sessionId: this.#lease.sessionId,
        previousHash: head.hash,
      };
      const row: AuditRow = { ...content, hash: keyedHash(key, content) };
      const marks = auditColumns.map(() => '?').join(', ');
      database.run(`INSERT INTO audit (${auditColumns.join(', ')}) VALUES (${marks})`, ...auditValues(row));
      writeHead(database, key, { count: row.number, hash: row.hash });
      return row;
    });
  }
}

/** Seals an empty log; part of creating a data folder. */
export function createAuditHead(database: Database, key: Uint8Array): void {
  writeHead(database, key, { count: 0, hash: firstHash });
}

export function readAudit(database: Database, filter: AuditFilter): AuditRow[] {
  const sql = `SELECT * FROM audit WHERE number > ?1 AND (?2 IS NULL OR session_id = ?2)
    AND (?3 IS NULL OR call_id = ?3) ORDER BY number`;
  return database.all(sql, filter.after ?? 0, filter.sessionId ?? null, filter.callId ?? null).map(auditRow);
}

/** Walks the whole chain and names the first row where it does not hold. */
export function verifyAudit(database: Database, key: Uint8Array): AuditVerdict {
  return database.read(() => {
    const head = readHead(database, key);
    if (typeof head === 'string') return { ok: false, number: 0, reason: head };
    let previous: Head = { count: 0, hash: firstHash };
    let broken: AuditVerdict | undefined;
    database.each('SELECT * FROM audit ORDER BY number', (row) => {
      const next = previous.count + 1;
      const reason = number(row, 'number') === next ? faultOf(row, previous, key) : 'a row is missing or was inserted';
      if (reason !== undefined) broken = { ok: false, number: next, reason };
      else previous = { count: next, hash: text(row, 'hash') };
      return broken === undefined;
    });
    return broken ?? compareEnd(previous, head);
  });
}

function faultOf(stored: Row, previous: Head, key: Uint8Array): string | undefined {
  const { hash, ...content } = auditRow(stored);
  if (content.previousHash !== previous.hash) return 'the row does not follow the one before it';
  return same(hash, keyedHash(key, content)) ? undefined : 'the row was changed, or was written with another key';
}

function compareEnd(last: Head, head: Head): AuditVerdict {
  if (last.count < head.count) return { ok: false, number: last.count + 1, reason: 'rows at the end are missing' };
  if (last.count > head.count) return { ok: false, number: head.count + 1, reason: 'rows were added at the end' };
  if (last.hash !== head.hash)
    return { ok: false, number: last.count, reason: 'the last row is not the one that was sealed' };
  return { ok: true, rows: last.count };
}

/** The sealed head, or what is wrong with it. */
function readHead(database: Database, key: Uint8Array): Head | string {
  const row = database.get('SELECT count, hash, seal FROM audit_head WHERE id = 1');
  if (row === undefined) return 'the sealed head is missing';
  const head = { count: number(row, 'count'), hash: text(row, 'hash') };
  return same(text(row, 'seal'), keyedHash(key, head))
    ? head
    : 'the sealed head was changed, or audit.key is not its key';
}

function writeHead(database: Database, key: Uint8Array, head: Head): void {
  const sql = `INSERT INTO audit_head (id, count, hash, seal) VALUES (1, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET count = excluded.count, hash = excluded.hash, seal = excluded.seal`;
  database.run(sql, head.count, head.hash, keyedHash(key, head));
}

function keyedHash(key: Uint8Array, content: object): string {
  return createHmac('sha256', key).update(canonicalJson(content)).digest('hex');
}

function same(first: string, second: string): boolean {
  const [one, other] = [Buffer.from(first), Buffer.from(second)];
  return one.length === other.length && timingSafeEqual(one, other);
}
