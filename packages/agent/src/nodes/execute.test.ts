import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallContext, ModelToolCall } from '@capstan/contracts';
import { ended, MemoryModel, makeTask, RunFixture } from '../testing/run-fixture.ts';

const failingTests = 'Make the failing tests pass';

function edit(path: string, oldText: string, newText: string): ModelToolCall {
  return { id: 'edit', name: 'fs-write__edit_files', arguments: { edits: [{ path, oldText, newText }] } };
}

/** Runs both edits of one answer, with something that happens after each call. */
function twoEdits(after: (run: RunFixture) => void): RunFixture {
  const calls = [edit('src/sum.mjs', 'a - b', 'a + b'), edit('src/area.mjs', 'a + b', 'a * b')];
  const model = new MemoryModel((_, turn) => (turn === 0 ? { calls } : { text: 'I fixed both files.' }));
  const run = new RunFixture({ task: makeTask('model', failingTests, { milliseconds: 60_000 }), model });
  const original = run.gateway.callTool.bind(run.gateway);
  run.gateway.callTool = async (call, context) => {
    const outcome = await original(call, context);
    if (call.name === 'fs-write__edit_files') after(run);
    return outcome;
  };
  return run;
}

const edits = (run: RunFixture) => run.gateway.effects.filter((id) => id.startsWith('run-1:1:'));

test('A8: a budget that is spent by one call of an answer ends the run before the next', async () => {
  const run = twoEdits((late) => {
    late.now += 60_000;
  });
  const outcome = ended(await run.drive());
  assert.deepEqual([outcome.exitCode, outcome.failure?.code], [1, 'budget-spent']);
  assert.equal(edits(run).length, 1);
  assert.deepEqual(run.storage.events.bodies('diff-ready')[0]?.files, ['src/sum.mjs']);
});

test('S3: a run that is drained during one call of an answer stops before the next, and makes both once', async () => {
  const controller = new AbortController();
  const reason = new Error('drain');
  const run = twoEdits(() => controller.abort(reason));
  await assert.rejects(run.drive(controller.signal), (thrown) => thrown === reason);
  assert.equal(edits(run).length, 1);
  assert.equal(ended(await run.drive()).status, 'done');
  assert.equal(edits(run).length, 2);
});

test('A8: of one answer 32 calls are made, and the model is told about the others', async () => {
  const calls = Array.from({ length: 40 }, (_, index) => edit('src/sum.mjs', 'export', `// ${index}\nexport`));
  const model = new MemoryModel((_, turn) => (turn === 0 ? { calls } : { text: 'Enough.' }));
  const run = new RunFixture({ task: makeTask('model', failingTests), model });
  await run.drive();
  assert.equal(edits(run).length, 32);
  const answers = (model.requests[1]?.messages ?? []).filter((message) => message.role === 'tool');
  assert.equal(new Set(answers.map((message) => message.callId)).size, 40);
  assert.equal(answers.filter((message) => /not made: at most 32 calls/.test(message.text)).length, 8);
});

test('A8: a call that ran out of the time of the run ends it, and no model is asked again', async () => {
  const run = twoEdits(() => {});
  const failure = { level: 'fatal', code: 'budget-spent', message: 'no time is left' } as const;
  run.gateway.failures.set('fs-write__edit_files', [{ kind: 'failed', callId: '', failure }]);
  const outcome = ended(await run.drive());
  assert.deepEqual([outcome.exitCode, outcome.failure?.code], [1, 'budget-spent']);
  assert.equal(outcome.usage.modelRequests, 1);
});

test('A8: each call carries the time at which the run must end', async () => {
  const run = twoEdits(() => {});
  const deadlines: CallContext['deadline'][] = [];
  const original = run.gateway.callTool.bind(run.gateway);
  run.gateway.callTool = (call, context) => {
    deadlines.push(context.deadline);
    return original(call, context);
  };
  await run.drive();
  assert.ok(deadlines.length > 3);
  assert.deepEqual([...new Set(deadlines)], [run.now + 60_000]);
});

for (const moment of ['before', 'during'] as const) {
  test(`S3: a run that is drained ${moment} the pause of a retry rejects with the reason of its signal`, async () => {
    const controller = new AbortController();
    const reason = new Error('drain');
    const run = twoEdits(() => {});
    run.pause = undefined;
    const failure = { level: 'retryable', code: 'server-failed', message: 'restarting', afterMs: 600_000 } as const;
    run.gateway.callTool = async (call) => {
      if (moment === 'before') controller.abort(reason);
      else setTimeout(() => controller.abort(reason), 1);
      return { kind: 'failed', callId: call.id, failure };
    };
    await assert.rejects(run.drive(controller.signal), (thrown) => thrown === reason);
  });
}
