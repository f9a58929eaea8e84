import type {
  Approval,
  ApprovalLedger,
  EventBody,
  EventLog,
  EventRow,
  Grant,
  Journal,
  JournalEntry,
  SessionStorage,
} from '@capstan/contracts';
import { EventBody as EventSchema } from '@capstan/contracts';

/** The log redacts this word, as the real one redacts keys. */
export const secret = 'hunter2secret';

/** Thrown by a log that was told to crash: stands for the death of the process. */
export class CrashError extends Error {
  override readonly name = 'CrashError';
}

/** An event log in memory that can crash before or after its nth append. */
class MemoryEventLog implements EventLog {
  readonly rows: EventRow[] = [];
  readonly #keys = new Map<string, EventRow>();
  /** Number of new rows after which the next append crashes; `phase` says on which side of the write. */
  crash: { row: number; phase: 'before' | 'after' } | undefined;
  /** Called at the moment of the crash, before anything can react to it. */
  onCrash: () => void = () => {};

  async append(key: string, body: EventBody): Promise<EventRow> {
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    const number = this.rows.length + 1;
    this.#crashAt(number, 'before');
    const text = JSON.stringify(EventSchema.parse(body)).replaceAll(secret, '***');
    const row = { sessionId: 'session-1', number, at: number, body: JSON.parse(text) as EventBody };
    this.rows.push(row);
    this.#keys.set(key, row);
    this.#crashAt(number, 'after');
    return row;
  }

  async read(after = 0): Promise<EventRow[]> {
    return structuredClone(this.rows.slice(after));
  }

  bodies<Type extends EventBody['type']>(type: Type): Extract<EventBody, { type: Type }>[] {
    return this.rows.flatMap(({ body }) => (body.type === type ? [body as Extract<EventBody, { type: Type }>] : []));
  }

  #crashAt(row: number, phase: 'before' | 'after'): void {
    if (this.crash?.row !== row || this.crash.phase !== phase) return;
    this.crash = undefined;
    this.onCrash();
    throw new CrashError(`${phase} row ${row}`);
  }
}

class MemoryJournal<Result> implements Journal<Result> {
  readonly #entries = new Map<string, { digest: string; result?: Result }>();

  async begin(key: string, digest: string): Promise<JournalEntry<Result>> {
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.#entries.set(key, { digest });
      return { state: 'new' };
    }
    const sameDigest = entry.digest === digest;
    return entry.result === undefined
      ? { state: 'intended', sameDigest }
      : { state: 'done', sameDigest, result: entry.result };
  }

  async complete(key: string, result: Result): Promise<void> {
    const entry = this.#entries.get(key);
    if (entry === undefined) throw new Error(`nothing was begun under ${key}`);
    entry.result = structuredClone(result);
  }
}

class MemoryApprovals implements ApprovalLedger {
  readonly rows = new Map<string, Approval>();

  async request(approval: Omit<Approval, 'sessionId' | 'status' | 'requestedAt'>): Promise<Approval> {
    const key = `${approval.callId} ${approval.argumentDigest}`;
    const known = this.rows.get(key);
    if (known !== undefined) return known;
    const row: Approval = { ...approval, sessionId: 'session-1', status: 'waiting', requestedAt: 0 };
    this.rows.set(key, row);
    return row;
  }

  async find(callId: string, argumentDigest: string): Promise<Approval | undefined> {
    return this.rows.get(`${callId} ${argumentDigest}`);
  }

  async consume(callId: string, argumentDigest: string): Promise<boolean> {
    const row = this.rows.get(`${callId} ${argumentDigest}`);
    if (row?.status !== 'approved') return false;
    row.status = 'used';
    return true;
  }

  async waiting(): Promise<Approval[]> {
    return [...this.rows.values()].filter((row) => row.status === 'waiting');
  }

  async addGrant(): Promise<void> {}

  async grants(): Promise<Grant[]> {
    return [];
  }

  decide(callId: string, status: 'approved' | 'denied'): void {
    const row = [...this.rows.values()].find((candidate) => candidate.callId === callId);
    if (row === undefined) throw new Error(`nothing waits for ${callId}`);
    row.status = status;
    row.decidedBy = 'tester';
  }
}

/** What a session keeps, in memory. */
export class MemoryStorage implements SessionStorage {
  readonly lease = { sessionId: 'session-1', holder: 'test', epoch: 1 };
  readonly events = new MemoryEventLog();
  readonly calls = new MemoryJournal<never>() as SessionStorage['calls'];
  readonly answers: SessionStorage['answers'] = new MemoryJournal();
  readonly approvals = new MemoryApprovals();
  readonly audit: SessionStorage['audit'] = {
    append: async () => {
      throw new Error('the agent writes no audit rows');
    },
  };
}
