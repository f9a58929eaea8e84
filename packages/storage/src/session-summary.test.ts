import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTemporary, sampleTask, takeLease } from './testing.ts';

test('X1: a summary has the runs, the last end, the last change of the checkout, and who waits', async (t) => {
  const { storage, clock } = openTemporary(t);
  const lease = await takeLease(storage);
  const session = storage.session(lease);
  assert.deepEqual(await storage.summariseSession('s-1'), {
    isHeld: true,
    isArchived: false,
    runs: [],
    lastEnd: undefined,
    lastChange: undefined,
    waiting: [],
  });
  const run = await storage.createRun('s-1', sampleTask, lease);
  const files = ['x'.repeat(20_000)];
  const end = {
    type: 'run-end',
    runId: run.runId,
    sessionId: 's-1',
    status: 'waiting',
    exitCode: 3,
    answer: '',
    usage: { promptTokens: 0, completionTokens: 0, modelRequests: 0, toolCalls: 0 },
    files,
    applied: false,
  } as const;
  for (const life of [1, 2])
    await session.events.append(`run-end:${run.runId}:${life}`, { ...end, exitCode: life, files });
  await session.events.append('diff-apply:1', { type: 'diff-apply', files });
  assert.equal((await storage.summariseSession('s-1')).lastChange, 'diff-apply');
  await session.events.append('diff-undo:1', { type: 'diff-undo', files });
  const approval = {
    callId: 'c',
    argumentDigest: 'd',
    tool: 'x__y',
    rule: 'r',
    summary: 's',
    expiresAt: clock.now() + 10,
  };
  await session.approvals.request(approval);
  await storage.releaseLease(lease);
  const summary = await storage.summariseSession('s-1');
  assert.deepEqual([summary.isHeld, summary.lastEnd?.exitCode, summary.lastChange], [false, 2, 'diff-undo']);
  assert.deepEqual(summary.lastEnd?.files, files, 'from the blob');
  assert.deepEqual(
    summary.runs.map(({ runId }) => runId),
    [run.runId],
  );
  assert.deepEqual(
    summary.waiting.map(({ callId }) => callId),
    ['c'],
  );
  clock.time += 100;
  assert.deepEqual((await storage.summariseSession('s-1')).waiting, [], 'an expired question waits for nobody');
});
