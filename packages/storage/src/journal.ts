import { CapstanError, type Journal, type JournalEntry, type Lease } from '@capstan/contracts';
import { recordUses, referencesIn } from './blob-uses.ts';
import type { Database } from './database.ts';
import type { Leases } from './leases.ts';
import { optionalText, parseStored, type Row, text } from './row.ts';

export type JournalKind = 'call' | 'answer';

/**
 * Intents and outcomes of one session. Results are stored as they are, not redacted: a resumed run must go on with
 * exactly what it had. The first intent and the first outcome of a key stay.
 */
export class SqliteJournal<Result> implements Journal<Result> {
  readonly #database: Database;
  readonly #leases: Leases;
  readonly #lease: Lease;
  readonly #kind: JournalKind;

  constructor(database: Database, leases: Leases, lease: Lease, kind: JournalKind) {
    this.#database = database;
    this.#leases = leases;
    this.#lease = lease;
    this.#kind = kind;
  }

  async begin(key: string, digest: string): Promise<JournalEntry<Result>> {
    // An effect follows: its intent must survive a power cut, else it could happen a second time.
    return this.#kind === 'call'
      ? this.#database.writeThrough(() => this.#begin(key, digest))
      : this.#database.write(() => this.#begin(key, digest));
  }

  async complete(key: string, result: Result): Promise<void> {
    const stored = JSON.stringify(result);
    const sql = `UPDATE journal SET result = coalesce(result, ?) WHERE session_id = ? AND kind = ? AND key = ?`;
    this.#database.write(() => {
      this.#leases.check(this.#lease);
      const found = this.#database.run(sql, stored, this.#lease.sessionId, this.#kind, key) === 1;
      if (found) return recordUses(this.#database, this.#lease.sessionId, referencesIn(stored));
      throw new CapstanError('internal', `An outcome without an intent in the ${this.#kind} journal: ${key}`);
    });
  }

  #begin(key: string, digest: string): JournalEntry<Result> {
    this.#leases.check(this.#lease);
    const found = this.#find(key);
    if (found === undefined) {
      const sql = 'INSERT INTO journal (session_id, kind, key, digest, result) VALUES (?, ?, ?, ?, NULL)';
      this.#database.run(sql, this.#lease.sessionId, this.#kind, key, digest);
      return { state: 'new' };
    }
    const sameDigest = text(found, 'digest') === digest;
    const result = optionalText(found, 'result');
    if (result === undefined) return { state: 'intended', sameDigest };
    return { state: 'done', sameDigest, result: parseStored<Result>(result) };
  }

  #find(key: string): Row | undefined {
    const sql = 'SELECT digest, result FROM journal WHERE session_id = ? AND kind = ? AND key = ?';
    return this.#database.get(sql, this.#lease.sessionId, this.#kind, key);
  }
}
