import { CapstanError, type Clock, type Lease } from '@capstan/contracts';
import type { Database } from './database.ts';
import { holderIsDead } from './process-holder.ts';
import { number, optionalText, type Row } from './row.ts';

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

  /** Undefined when the session is held: by any live holder, the caller itself included. */
  acquire(sessionId: string, holder: string, milliseconds: number): Lease | undefined {
    return this.#database.write(() => {
      const row = this.#find(sessionId);
      if (row !== undefined && this.#isHeld(row)) return undefined;
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
    });
  }

  /** Whether a process that may be alive has the session. */
  isHeld(sessionId: string): boolean {
    const row = this.#find(sessionId);
    return row !== undefined && this.#isHeld(row);
  }

  /** False when the lease is no longer held; an expired one that nobody took can still be renewed. */
  renew(lease: Lease, milliseconds: number): boolean {
    return this.#change(lease, 'expires_at = ?', this.#clock.now() + milliseconds);
  }

  release(lease: Lease): void {
    this.#change(lease, 'holder = NULL, expires_at = ?', 0);
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

  #isHeld(row: Row): boolean {
    const holder = optionalText(row, 'holder');
    return holder !== undefined && number(row, 'expires_at') > this.#clock.now() && !holderIsDead(holder);
  }

  #change(lease: Lease, change: string, expiresAt: number): boolean {
    const sql = `UPDATE leases SET ${change} WHERE session_id = ? AND epoch = ? AND holder = ?`;
    return this.#database.write(
      () => this.#database.run(sql, expiresAt, lease.sessionId, lease.epoch, lease.holder) === 1,
    );
  }
}
