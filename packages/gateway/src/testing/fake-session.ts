import type { Approval, AuditDraft, AuditRow, EventRow, Grant, SessionStorage, ToolResult } from '@capstan/contracts';

export interface FakeSession extends SessionStorage {
  readonly rows: AuditRow[];
  decide(callId: string, argumentDigest: string, status: 'approved' | 'denied'): void;
}

/** The storage ports of one session in memory, with the same promises: for tests of single stages and of many calls. */
export function fakeSession(clock: { now(): number }): FakeSession {
  const sessionId = 's-1';
  const events = new Map<string, EventRow>();
  const rows: AuditRow[] = [];
  const journal = new Map<string, { digest: string; result?: ToolResult }>();
  const approvals = new Map<string, Approval>();
  const grants: Grant[] = [];
  const keyOf = (callId: string, digest: string): string => `${callId} ${digest}`;
  return {
    lease: { sessionId, holder: 'test', epoch: 1 },
    rows,
    decide(callId, digest, status) {
      const row = approvals.get(keyOf(callId, digest));
      if (row?.status !== 'waiting') throw new Error(`nothing waits for ${callId}`);
      approvals.set(keyOf(callId, digest), { ...row, status, decidedBy: 'ann' });
    },
    events: {
      async append(key, body) {
        const row = events.get(key) ?? { sessionId, number: events.size + 1, at: clock.now(), body };
        events.set(key, row);
        return row;
      },
      read: async (after = 0) => [...events.values()].filter((row) => row.number > after),
    },
    calls: {
      async begin(key, digest) {
        const known = journal.get(key);
        if (known === undefined) {
          journal.set(key, { digest });
          return { state: 'new' };
        }
        const sameDigest = known.digest === digest;
        if (known.result === undefined) return { state: 'intended', sameDigest };
        return { state: 'done', sameDigest, result: known.result };
      },
      async complete(key, result) {
        const known = journal.get(key);
        if (known === undefined) throw new Error(`no intent for ${key}`);
        journal.set(key, { result, ...known });
      },
    },
    answers: {
      begin: () => Promise.reject(new Error('not used')),
      complete: () => Promise.reject(new Error('not used')),
    },
    approvals: {
      async request(draft) {
        const key = keyOf(draft.callId, draft.argumentDigest);
        const row = approvals.get(key) ?? { ...draft, sessionId, status: 'waiting' as const, requestedAt: clock.now() };
        approvals.set(key, row);
        return row;
      },
      find: async (callId, digest) => approvals.get(keyOf(callId, digest)),
      async consume(callId, digest) {
        const row = approvals.get(keyOf(callId, digest));
        if (row?.status !== 'approved' || row.expiresAt <= clock.now()) return false;
        approvals.set(keyOf(callId, digest), { ...row, status: 'used' });
        return true;
      },
      waiting: async () => [...approvals.values()].filter((row) => row.status === 'waiting'),
      addGrant: async (grant) => void grants.push({ ...grant, sessionId }),
      grants: async () => [...grants],
    },
    audit: {
      async append(draft: AuditDraft) {
        const row = { ...draft, number: rows.length + 1, at: clock.now(), sessionId, previousHash: '', hash: '' };
        rows.push(row);
        return row;
      },
    },
  };
}
