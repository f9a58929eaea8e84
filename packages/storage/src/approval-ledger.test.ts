import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Approval } from '@capstan/contracts';
import fc from 'fast-check';
import { handClock, openSession, openTemporary, takeLease } from './testing.ts';

const question = {
  callId: 'run-1:1:0',
  argumentDigest: 'digest-a',
  tool: 'fs-write__write_file',
  rule: 'strict',
  summary: 'write a.txt',
  expiresAt: 1_010_000,
};

test('G11: an approval is for one call with one digest, once', async (t) => {
  const { storage, session } = await openSession(t);
  const asked = await session.approvals.request(question);
  assert.deepEqual(asked, { ...question, sessionId: 's-1', status: 'waiting', requestedAt: 1_000_000 });
  assert.deepEqual(await session.approvals.request({ ...question, summary: 'other words' }), asked);
  assert.equal(await session.approvals.consume(question.callId, 'digest-a'), false, 'not while it waits');
  const decided = await storage.decideApproval('s-1', question.callId, 'digest-a', 'approved', 'ada');
  const answered = { ...asked, status: 'approved', decidedBy: 'ada', decidedAt: 1_000_000 };
  assert.deepEqual(decided, { approval: answered, isCounted: true });
  assert.equal(await session.approvals.consume(question.callId, 'digest-b'), false, 'other arguments');
  assert.equal(await session.approvals.consume('run-1:1:1', 'digest-a'), false, 'another call');
  assert.equal(await session.approvals.consume(question.callId, 'digest-a'), true);
  assert.equal(await session.approvals.consume(question.callId, 'digest-a'), false, 'used');
  assert.equal((await session.approvals.request(question)).status, 'used', 'asking again does not renew it');
});

test('the first answer stays', async (t) => {
  const { storage, session } = await openSession(t);
  await session.approvals.request(question);
  await storage.decideApproval('s-1', question.callId, 'digest-a', 'denied', 'ada');
  const second = await storage.decideApproval('s-1', question.callId, 'digest-a', 'approved', 'bob');
  assert.deepEqual([second?.approval.status, second?.approval.decidedBy, second?.isCounted], ['denied', 'ada', false]);
  assert.equal(await session.approvals.consume(question.callId, 'digest-a'), false);
  assert.equal(await storage.decideApproval('s-1', 'unasked', 'digest-a', 'approved', 'ada'), undefined);
  assert.equal(await storage.decideApproval('s-2', question.callId, 'digest-a', 'approved', 'ada'), undefined);
});

test('A12: an approval expires, waiting or approved, and a clock set back does not revive it', async (t) => {
  const { storage, session, clock } = await openSession(t);
  await session.approvals.request(question);
  await session.approvals.request({ ...question, argumentDigest: 'digest-b' });
  await storage.decideApproval('s-1', question.callId, 'digest-a', 'approved', 'ada');
  assert.equal((await session.approvals.waiting()).length, 1);
  clock.time = question.expiresAt;
  assert.deepEqual(await session.approvals.waiting(), []);
  assert.equal((await session.approvals.find(question.callId, 'digest-a'))?.status, 'expired');
  assert.equal(await session.approvals.consume(question.callId, 'digest-a'), false);
  const late = await storage.decideApproval('s-1', question.callId, 'digest-b', 'approved', 'ada');
  assert.deepEqual([late?.approval.status, late?.isCounted], ['expired', false]);
  clock.time = 1_000_000;
  assert.equal(await session.approvals.consume(question.callId, 'digest-a'), false);
  assert.equal((await session.approvals.find(question.callId, 'digest-b'))?.status, 'expired');
});

test('questions of one session or of all are read without a lease, as they stand now', async (t) => {
  const { storage, session, clock } = await openSession(t);
  const other = storage.session(await takeLease(storage, 's-2'));
  await session.approvals.request(question);
  clock.time += 1;
  await other.approvals.request({ ...question, expiresAt: 1_020_000 });
  const standing = async (sessionId?: string) =>
    (await storage.readApprovals(sessionId)).map((row) => [row.sessionId, row.status]);
  assert.deepEqual(await standing(), [
    ['s-1', 'waiting'],
    ['s-2', 'waiting'],
  ]);
  clock.time = question.expiresAt;
  assert.deepEqual(await standing('s-1'), [['s-1', 'expired']]);
  assert.deepEqual(await standing('s-2'), [['s-2', 'waiting']]);
});

test('grants belong to a session and expire', async (t) => {
  const { storage, session, clock } = await openSession(t);
  const other = storage.session(await takeLease(storage, 's-2'));
  await session.approvals.addGrant({ id: 'g-1', tool: 'apply', grantedBy: 'ada' });
  await session.approvals.addGrant({ id: 'g-1', tool: 'exec__run', grantedBy: 'eve' });
  await session.approvals.addGrant({
    id: 'g-2',
    tool: 'fs-write__write_file',
    pattern: { path: 'src/**' },
    grantedBy: 'ada',
    expiresAt: 1_000_500,
  });
  const lasting = { id: 'g-1', sessionId: 's-1', tool: 'apply', grantedBy: 'ada' };
  const passing = {
    id: 'g-2',
    sessionId: 's-1',
    tool: 'fs-write__write_file',
    pattern: { path: 'src/**' },
    grantedBy: 'ada',
    expiresAt: 1_000_500,
  };
  assert.deepEqual(await session.approvals.grants(), [lasting, passing]);
  assert.deepEqual(await other.approvals.grants(), []);
  clock.time = 1_000_500;
  assert.deepEqual(await session.approvals.grants(), [lasting]);
});

test('10,000 random approvals never cross: what is used was approved for exactly that call, digest and session', async (t) => {
  const clock = handClock();
  const { storage } = openTemporary(t, { clock });
  const sessions = await Promise.all(
    ['s-0', 's-1', 's-2'].map(async (id) => storage.session(await takeLease(storage, id))),
  );
  const model = new Map<string, { status: Approval['status']; expiresAt: number }>();
  const draws = fc.sample(
    fc.record({
      session: fc.nat(2),
      callId: fc.nat(1399).map((index) => `run-1:${index}:0`),
      digest: fc.nat(2).map((index) => `digest-${index}`),
      act: fc.constantFrom(
        'request' as const,
        'request' as const,
        'approve' as const,
        'deny' as const,
        'consume' as const,
      ),
      lifetime: fc.integer({ min: 1, max: 60_000 }),
    }),
    { numRuns: 75_000, seed: 20261130 },
  );
  let used = 0;
  for (const { session, callId, digest, act, lifetime } of draws) {
    const ledger = sessions[session]?.approvals;
    assert.ok(ledger);
    const key = `s-${session} ${callId} ${digest}`;
    const known = model.get(key);
    clock.time += 1;
    const live = known !== undefined && known.expiresAt > clock.time;
    if (act === 'request') {
      const expiresAt = clock.time + lifetime;
      await ledger.request({ callId, argumentDigest: digest, tool: 't', rule: 'r', summary: key, expiresAt });
      if (known === undefined) model.set(key, { status: 'waiting', expiresAt });
    } else if (act === 'consume') {
      const expected = live && known.status === 'approved';
      assert.equal(await ledger.consume(callId, digest), expected, key);
      if (expected) {
        known.status = 'used';
        used += 1;
      }
    } else {
      const decision = act === 'approve' ? 'approved' : 'denied';
      const decided = await storage.decideApproval(`s-${session}`, callId, digest, decision, `by ${key}`);
      const row = decided?.approval;
      assert.equal(decided?.isCounted ?? false, live && known.status === 'waiting', key);
      if (live && known.status === 'waiting') known.status = decision;
      assert.equal(row?.summary, known === undefined ? undefined : key);
      if (row?.decidedBy !== undefined) assert.equal(row.decidedBy, `by ${key}`);
    }
  }
  assert.ok(model.size >= 10_000, `${model.size} were asked for`);
  assert.ok(used > 500, `${used} were used`);
});
