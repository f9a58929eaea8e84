import type { Approval, ApprovalLedger, Clock, Grant, Lease } from '@capstan/contracts';
import type { Database } from './database.ts';
import type { Leases } from './leases.ts';
import { json, number, optionalNumber, optionalText, present, type Row, text } from './row.ts';

export interface ApprovalDeps {
  readonly database: Database;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
}

const ofCall = 'session_id = ? AND call_id = ? AND argument_digest = ?';

/** Questions to people and standing grants of one session. A row belongs to one call with one argument digest. */
export class SqliteApprovalLedger implements ApprovalLedger {
  readonly #deps: ApprovalDeps;
  readonly #lease: Lease;

  constructor(deps: ApprovalDeps, lease: Lease) {
    this.#deps = deps;
    this.#lease = lease;
  }

  async request(draft: Omit<Approval, 'sessionId' | 'status' | 'requestedAt'>): Promise<Approval> {
    const { sessionId } = this.#lease;
    const approval: Approval = {
      sessionId,
      callId: draft.callId,
      argumentDigest: draft.argumentDigest,
      tool: draft.tool,
      rule: draft.rule,
      summary: this.#deps.redact(draft.summary),
      status: 'waiting',
      requestedAt: this.#deps.clock.now(),
      expiresAt: draft.expiresAt,
    };
    return this.#write(() => {
      const found = findApproval(this.#deps, sessionId, draft.callId, draft.argumentDigest);
      if (found !== undefined) return found;
      insertApproval(this.#deps.database, approval);
      return approval;
    });
  }

  async find(callId: string, argumentDigest: string): Promise<Approval | undefined> {
    return findApproval(this.#deps, this.#lease.sessionId, callId, argumentDigest);
  }

  async consume(callId: string, argumentDigest: string): Promise<boolean> {
    const sql = `UPDATE approvals SET status = 'used' WHERE ${ofCall} AND status = 'approved' AND expires_at > ?`;
    const { sessionId } = this.#lease;
    return this.#write(() => {
      expire(this.#deps, sessionId, callId, argumentDigest);
      return this.#deps.database.run(sql, sessionId, callId, argumentDigest, this.#deps.clock.now()) === 1;
    });
  }

  async waiting(): Promise<Approval[]> {
    const sql = `SELECT * FROM approvals WHERE session_id = ? AND status = 'waiting' ORDER BY requested_at, call_id`;
    const rows = this.#deps.database.all(sql, this.#lease.sessionId);
    return rows.map((row) => approvalOf(row, this.#deps.clock.now())).filter((row) => row.status === 'waiting');
  }

  async addGrant(grant: Omit<Grant, 'sessionId'>): Promise<void> {
    const pattern = grant.pattern === undefined ? null : JSON.stringify(grant.pattern);
    const sql = `INSERT INTO grants (session_id, id, tool, pattern, granted_by, expires_at) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING`;
    const { sessionId } = this.#lease;
    this.#write(() =>
      this.#deps.database.run(sql, sessionId, grant.id, grant.tool, pattern, grant.grantedBy, grant.expiresAt ?? null),
    );
  }

  /** Those that have not expired. */
  async grants(): Promise<Grant[]> {
    const sql = 'SELECT * FROM grants WHERE session_id = ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY id';
    return this.#deps.database.all(sql, this.#lease.sessionId, this.#deps.clock.now()).map(grantOf);
  }

  #write<Result>(work: () => Result): Result {
    return this.#deps.database.write(() => {
      this.#deps.leases.check(this.#lease);
      return work();
    });
  }
}

export interface Decision {
  readonly sessionId: string;
  readonly callId: string;
  readonly argumentDigest: string;
  readonly decision: 'approved' | 'denied';
  readonly by: string;
}

/** A question as it is after an answer came. */
export interface DecidedApproval {
  readonly approval: Approval;
  /** False when the question had been answered before, or had expired. */
  readonly isCounted: boolean;
}

/**
 * A person's answer, from any process and without a lease. The first answer stays: a later one, or one that comes after
 * expiry, changes nothing, and what is returned says so. Undefined when nothing was asked.
 */
export function decideApproval(
  deps: Pick<ApprovalDeps, 'database' | 'clock'>,
  decision: Decision,
): DecidedApproval | undefined {
  const { sessionId, callId, argumentDigest } = decision;
  const sql = `UPDATE approvals SET status = ?, decided_by = ?, decided_at = ? WHERE ${ofCall} AND status = 'waiting'`;
  return deps.database.write(() => {
    expire(deps, sessionId, callId, argumentDigest);
    const values = [decision.decision, decision.by, deps.clock.now(), sessionId, callId, argumentDigest] as const;
    const isCounted = deps.database.run(sql, ...values) === 1;
    const approval = findApproval(deps, sessionId, callId, argumentDigest);
    return approval && { approval, isCounted };
  });
}

/** All questions of one session, or of every one, with the status that they have now. */
export function readApprovals(
  { database, clock }: Pick<ApprovalDeps, 'database' | 'clock'>,
  sessionId?: string,
): Approval[] {
  const order = 'ORDER BY requested_at, session_id, call_id';
  const rows =
    sessionId === undefined
      ? database.all(`SELECT * FROM approvals ${order}`)
      : database.all(`SELECT * FROM approvals WHERE session_id = ? ${order}`, sessionId);
  return rows.map((row) => approvalOf(row, clock.now()));
}

/** Written down, so that a clock that is set back cannot revive an approval. */
function expire(
  deps: Pick<ApprovalDeps, 'database' | 'clock'>,
  sessionId: string,
  callId: string,
  digest: string,
): void {
  const sql = `UPDATE approvals SET status = 'expired' WHERE ${ofCall} AND status IN ('waiting', 'approved') AND expires_at <= ?`;
  deps.database.run(sql, sessionId, callId, digest, deps.clock.now());
}

function findApproval(
  deps: Pick<ApprovalDeps, 'database' | 'clock'>,
  sessionId: string,
  callId: string,
  argumentDigest: string,
): Approval | undefined {
  const row = deps.database.get(`SELECT * FROM approvals WHERE ${ofCall}`, sessionId, callId, argumentDigest);
  return row === undefined ? undefined : approvalOf(row, deps.clock.now());
}

function insertApproval(database: Database, approval: Approval): void {
  database.run(
    `INSERT INTO approvals (session_id, call_id, argument_digest, tool, rule, summary, status, requested_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    approval.sessionId,
    approval.callId,
    approval.argumentDigest,
    approval.tool,
    approval.rule,
    approval.summary,
    approval.status,
    approval.requestedAt,
    approval.expiresAt,
  );
}

function approvalOf(row: Row, now: number): Approval {
  const status = text(row, 'status') as Approval['status'];
  const expiresAt = number(row, 'expires_at');
  const open = status === 'waiting' || status === 'approved';
  return {
    sessionId: text(row, 'session_id'),
    callId: text(row, 'call_id'),
    argumentDigest: text(row, 'argument_digest'),
    tool: text(row, 'tool'),
    rule: text(row, 'rule'),
    summary: text(row, 'summary'),
    status: open && expiresAt <= now ? 'expired' : status,
    requestedAt: number(row, 'requested_at'),
    expiresAt,
    ...present({ decidedBy: optionalText(row, 'decided_by'), decidedAt: optionalNumber(row, 'decided_at') }),
  };
}

function grantOf(row: Row): Grant {
  const pattern = row.pattern === null ? undefined : json<Record<string, string>>(row, 'pattern');
  return {
    id: text(row, 'id'),
    sessionId: text(row, 'session_id'),
    tool: text(row, 'tool'),
    grantedBy: text(row, 'granted_by'),
    ...present({ pattern, expiresAt: optionalNumber(row, 'expires_at') }),
  };
}
