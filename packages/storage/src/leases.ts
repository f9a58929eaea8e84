import { CapstanError, type Clock, type Lease } from '@capstan/contracts';
import type { Database } from './database.ts';
import { holderState } from './process-holder.ts';
import { number, optionalNumber, optionalText, type Row } from './row.ts';

/** Nobody asks for a longer one: what seems to last longer was written before the clock was set back. */
const longestMilliseconds = 60 * 60_000;

/** What is left of such a lease: a holder that lives renews it in this time. */
const shortenedMilliseconds = 60_000;

/**
 * One writer per session. The epoch of a session only ever grows; `check` inside a write transaction is what keeps an
 * earlier holder from writing.
 */
export class Leases {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * Undefined when the session is held: by any live holder, the caller itself included. Throws `workspace-lost` when it
   * was archived. The session counts as used now.
   */
  acquire(sessionId: string, holder: string, milliseconds: number): Lease | undefined {
    return this.#database.write(() => {
      refuseArchived(this.#database, sessionId);
      const lease = this.acquireUnused(sessionId, holder, milliseconds);
      if (lease !== undefined) this.#noteUse(sessionId);
      return lease;
    });
  }

  /** The same for upkeep, inside the transaction of the caller: the session grows older all the same. */
  acquireUnused(sessionId: string, holder: string, milliseconds: number): Lease | undefined {
    const row = this.#find(sessionId);
    if (row !== undefined && this.#isInForce(row)) {
      this.#shorten(sessionId, row);
      return undefined;
    }
    const epoch = (row === undefined ? 0 : number(row, 'epoch')) + 1;
    this.#database.run(
      `INSERT INTO leases (session_id, holder, epoch, expires_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (session_id) DO UPDATE SET holder = excluded.holder, epoch = excluded.epoch, expires_at = excluded.expires_at`,
      sessionId,
      holder,
      epoch,
      this.#clock.now() + milliseconds,
    );
    return { sessionId, holder, epoch };
  }

  /** Whether a process that may be alive has the session. */
  isHeld(sessionId: string): boolean {
    const row = this.#find(sessionId);
    return row !== undefined && this.#isInForce(row);
  }

  /** False when the lease is no longer held; an expired one that nobody took can still be renewed. */
  renew(lease: Lease, milliseconds: number): boolean {
    return this.#database.write(() => this.#change(lease, 'expires_at = ?', this.#clock.now() + milliseconds));
  }

  release(lease: Lease): void {
    this.#database.write(() => {
      if (this.#change(lease, 'holder = NULL, expires_at = ?', 0)) this.#noteUse(lease.sessionId);
    });
  }

  /** Gives back what `acquireUnused` took. */
  releaseUnused(lease: Lease): void {
    this.#database.write(() => this.#change(lease, 'holder = NULL, expires_at = ?', 0));
  }

  /** To be called inside the transaction of every write. Throws `lease-lost`. */
  check(lease: Lease): void {
    const row = this.#find(lease.sessionId);
    if (row !== undefined && number(row, 'epoch') === lease.epoch && optionalText(row, 'holder') === lease.holder)
      return;
    throw new CapstanError('lease-lost', `The lease of session ${lease.sessionId} was lost (epoch ${lease.epoch})`, {
      hint: 'Another process drives this session now; follow it there or resume it when it has ended',
    });
  }

  #find(sessionId: string): Row | undefined {
    return this.#database.get('SELECT holder, epoch, expires_at FROM leases WHERE session_id = ?', sessionId);
  }

  /** Whether a lease row is in force: a holder that provably lives keeps it, whatever the clock was set to. */
  #isInForce(row: Row): boolean {
    const holder = optionalText(row, 'holder');
    if (holder === undefined) return false;
    const state = holderState(holder);
    return state === 'unknown' ? number(row, 'expires_at') > this.#clock.now() : state === 'alive';
  }

  #shorten(sessionId: string, row: Row): void {
    const now = this.#clock.now();
    if (number(row, 'expires_at') <= now + longestMilliseconds) return;
    this.#database.run('UPDATE leases SET expires_at = ? WHERE session_id = ?', now + shortenedMilliseconds, sessionId);
  }

  #noteUse(sessionId: string): void {
    this.#database.run('UPDATE sessions SET last_used_at = ? WHERE session_id = ?', this.#clock.now(), sessionId);
  }

  #change(lease: Lease, change: string, expiresAt: number): boolean {
    const sql = `UPDATE leases SET ${change} WHERE session_id = ? AND epoch = ? AND holder = ?`;
    return this.#database.run(sql, expiresAt, lease.sessionId, lease.epoch, lease.holder) === 1;
  }
}

function refuseArchived(database: Database, sessionId: string): void {
  const row = database.get('SELECT archived_at FROM sessions WHERE session_id = ?', sessionId);
  const at = row === undefined ? undefined : optionalNumber(row, 'archived_at');
  if (at === undefined) return;
  throw new CapstanError('workspace-lost', `Session ${sessionId} was archived on ${new Date(at).toISOString()}`, {
    hint: `Its workspace is gone, its log is not (capstan trace ${sessionId}). Start a new run`,
  });
}
