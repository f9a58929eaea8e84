import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Approval, Lease } from '@capstan/contracts';
import { openStorage } from '@capstan/storage';
import { answerApproval } from './answer-approval.ts';
import { awaitAnswers } from './await-answers.ts';

const question = { callId: 'run-1:4:0', argumentDigest: 'digest', tool: 'fs-write__edit_files', rule: 'strict-write' };

/** A session on a real data folder, with one question in its ledger and a clock that is set by hand. */
async function asked(t: TestContext) {
  const home = mkdtempSync(join(tmpdir(), 'capstan-answers-'));
  const clock = { time: 1_000_000, now: () => clock.time };
  let ids = 0;
  const storage = openStorage({ home, clock, ids: { next: (prefix) => `${prefix}-${ids++}` }, redact: (text) => text });
  t.after(() => {
    storage.close();
    rmSync(home, { recursive: true, force: true });
  });
  const { sessionId } = await storage.createSession({ repository: '/repository' });
  const lease = (await storage.acquireLease(sessionId, 'test', 60_000)) as Lease;
  const session = storage.session(lease);
  await session.events.append('ask', { type: 'approval-request', ...question, summary: 'edit a.ts' });
  const approval = await session.approvals.request({ ...question, summary: 'edit a.ts', expiresAt: 1_060_000 });
  return { storage, session, lease, clock, approval, deps: { storage, actor: 'ada' } };
}

/** A person who never answers, and notes when the question was taken away. */
function silentPerson() {
  const seen: string[] = [];
  const asked = Promise.withResolvers<void>();
  return {
    seen,
    asked: asked.promise,
    approver: (approval: Approval, signal: AbortSignal) =>
      new Promise<undefined>((resolve) => {
        seen.push(`asked ${approval.tool}`);
        asked.resolve();
        signal.addEventListener('abort', () => {
          seen.push('taken away');
          resolve(undefined);
        });
      }),
  };
}

test('A12: the answer at the prompt goes into the ledger, with who gave it', async (t) => {
  const { session, storage, approval, deps } = await asked(t);
  const approver = async () => 'approved' as const;
  assert.equal(await awaitAnswers([question], session.approvals, { ...deps, approver }), true);
  const [row] = await storage.readApprovals(approval.sessionId);
  assert.deepEqual([row?.status, row?.decidedBy], ['approved', 'ada']);
});

test('A12: an answer from elsewhere takes the question away from the prompt', async (t) => {
  const { session, storage, approval, deps } = await asked(t);
  const person = silentPerson();
  const waited = awaitAnswers([question], session.approvals, { ...deps, approver: person.approver });
  await person.asked;
  const { sessionId, callId, argumentDigest } = approval;
  await storage.decideApproval(sessionId, callId, argumentDigest, 'denied', 'bob');
  assert.equal(await waited, true);
  assert.deepEqual(person.seen, ['asked fs-write__edit_files', 'taken away']);
});

test('A12: a prompt at which somebody answers too late changes nothing', async (t) => {
  const { session, storage, approval, deps } = await asked(t);
  const { sessionId, callId, argumentDigest } = approval;
  const approver = async () => {
    await storage.decideApproval(sessionId, callId, argumentDigest, 'denied', 'bob');
    return 'approved' as const;
  };
  assert.equal(await awaitAnswers([question], session.approvals, { ...deps, approver }), true);
  const [row] = await storage.readApprovals(sessionId);
  assert.deepEqual([row?.status, row?.decidedBy], ['denied', 'bob']);
});

test('A12: a question that expires at the prompt is taken away: nobody answered, and that is a no', async (t) => {
  const { session, storage, clock, approval, deps } = await asked(t);
  const person = silentPerson();
  const waited = awaitAnswers([question], session.approvals, { ...deps, approver: person.approver });
  await person.asked;
  clock.time = 1_060_000;
  assert.equal(await waited, true);
  assert.equal(person.seen.at(-1), 'taken away');
  assert.equal((await storage.readApprovals(approval.sessionId))[0]?.status, 'expired');
});

test('A12: with nobody here, a question waits; one that was answered meanwhile does not', async (t) => {
  const { session, storage, approval, deps } = await asked(t);
  assert.equal(await awaitAnswers([question], session.approvals, deps), false);
  const { sessionId, callId, argumentDigest } = approval;
  await storage.decideApproval(sessionId, callId, argumentDigest, 'approved', 'bob');
  assert.equal(await awaitAnswers([question], session.approvals, deps), true);
});

test('A12: a person who is gone leaves the question open', async (t) => {
  const { session, storage, approval, deps } = await asked(t);
  assert.equal(await awaitAnswers([question], session.approvals, { ...deps, approver: async () => undefined }), false);
  assert.equal((await storage.readApprovals(approval.sessionId))[0]?.status, 'waiting');
});

test('A12: an answer to a session that nobody drives goes into its log, once', async (t) => {
  const { storage, lease, approval } = await asked(t);
  await storage.releaseLease(lease);
  const deps = { storage, holder: 'other', actor: 'bob' };
  const answer = await answerApproval(approval, 'approved', deps);
  assert.deepEqual([answer.kind, answer.kind === 'answered' && answer.goesOn], ['answered', false]);
  const again = await answerApproval(approval, 'denied', { ...deps, actor: 'eve' });
  assert.deepEqual([again.kind, again.kind === 'closed' && again.approval.decidedBy], ['closed', 'bob']);
  const answers = (await storage.readEvents(approval.sessionId)).filter(({ body }) => body.type === 'approval-answer');
  assert.deepEqual(
    answers.map(({ body }) => body),
    [{ type: 'approval-answer', callId: question.callId, approved: true, by: 'bob' }],
  );
  assert.equal(await storage.isHeld(approval.sessionId), false, 'the lease is given back');
});

test('A12: an answer to a session that a process drives is taken up there', async (t) => {
  const { storage, session, approval } = await asked(t);
  const answered = answerApproval(approval, 'denied', { storage, holder: 'other', actor: 'bob' });
  await session.events.append('told', { type: 'approval-answer', callId: question.callId, approved: false, by: 'bob' });
  const answer = await answered;
  assert.equal(answer.kind === 'answered' && answer.goesOn, true);
});

test('A12: what was never asked cannot be answered', async (t) => {
  const { storage, approval } = await asked(t);
  const deps = { storage, holder: 'other', actor: 'bob' };
  const other = { ...approval, argumentDigest: 'another digest' };
  assert.equal(
    (await answerApproval(other, 'approved', deps)).kind,
    'unknown',
    'an answer is for these arguments only',
  );
});
