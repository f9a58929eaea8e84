import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { type Checkpoint, type CheckpointMetadata, uuid6 } from '@langchain/langgraph-checkpoint';
import { openSession } from './testing.ts';

const loop: CheckpointMetadata = { source: 'loop', step: 0, parents: {} };

function checkpoint(values: Record<string, unknown>, versions: Record<string, number>): Checkpoint {
  return { v: 4, id: uuid6(0), ts: '', channel_values: values, channel_versions: versions, versions_seen: {} };
}

test('A2: a step stores what it changed: step 1,000 takes no more bytes than step 10', async (t) => {
  const { storage, lease, home } = await openSession(t);
  const saver = await storage.checkpointer(lease);
  const task = 'x'.repeat(50_000);
  const versions = { task: 1, step: 0, plan: 0 };
  let config = { configurable: { thread_id: 'run-1' } };
  let plan = 'plan 0';
  const totals: number[] = [];
  const reader = new DatabaseSync(join(home, 'capstan.db'), { readOnly: true });
  t.after(() => reader.close());
  const size = reader.prepare(
    `SELECT (SELECT coalesce(sum(length(value)), 0) FROM channel_values) + (SELECT coalesce(sum(length(value)), 0)
     FROM checkpoint_writes) + (SELECT sum(length(checkpoint) + length(metadata) + length(channels)) FROM checkpoints) AS bytes`,
  );
  for (let step = 1; step <= 1000; step += 1) {
    const changed: Record<string, number> = { step };
    if (step === 1) changed.task = 1;
    if (step % 100 === 1) {
      plan = `plan ${step}`;
      changed.plan = step;
    }
    Object.assign(versions, changed);
    const next = checkpoint({ task, plan, step }, { ...versions });
    config = (await saver.put(config, next, loop, changed)) as typeof config;
    await saver.putWrites(config, [['step', step + 1]], 'task-1');
    if ([9, 10, 999, 1000].includes(step)) totals.push(Number(size.get()?.bytes));
    if (step % 250 === 0) assert.deepEqual((await saver.getTuple(config))?.checkpoint, next);
  }
  const [before10 = 0, at10 = 0, before1000 = 0, at1000 = 0] = totals;
  assert.ok(at10 - before10 < 1000, `${at10 - before10} bytes`);
  // Longer numbers take a few digits more.
  assert.ok(at1000 - before1000 <= at10 - before10 + 20, `${at1000 - before1000} against ${at10 - before10} bytes`);
});

test('two branches from one checkpoint keep their own values, though their versions are equal', async (t) => {
  const { storage, lease } = await openSession(t);
  const saver = await storage.checkpointer(lease);
  const root = await saver.put(
    { configurable: { thread_id: 'run-1' } },
    checkpoint({ a: 'root', b: 'root' }, { a: 1, b: 1 }),
    loop,
    { a: 1, b: 1 },
  );
  const left = await saver.put(root, checkpoint({ a: 'left', b: 'root' }, { a: 2, b: 1 }), loop, { a: 2 });
  const right = await saver.put(root, checkpoint({ a: 'right', b: 'root' }, { a: 2, b: 1 }), loop, { a: 2 });
  const deeper = await saver.put(left, checkpoint({ a: 'left', b: 'deep' }, { a: 2, b: 2 }), loop, { b: 2 });
  assert.deepEqual((await saver.get(left))?.channel_values, { a: 'left', b: 'root' });
  assert.deepEqual((await saver.get(right))?.channel_values, { a: 'right', b: 'root' });
  assert.deepEqual((await saver.get(deeper))?.channel_values, { a: 'left', b: 'deep' });
});

test('a copy of a checkpoint, and one whose parent was not stored, are whole', async (t) => {
  const { storage, lease } = await openSession(t);
  const saver = await storage.checkpointer(lease);
  const start = { configurable: { thread_id: 'run-1' } };
  const root = await saver.put(start, checkpoint({ a: 1 }, { a: 1 }), loop, { a: 1 });
  const copy = await saver.put(start, checkpoint({ a: 1 }, { a: 1 }), { ...loop, source: 'fork' }, {});
  assert.deepEqual((await saver.get(copy))?.channel_values, { a: 1 });
  const skipped = await saver.put(root, checkpoint({ a: 3, b: 1 }, { a: 3, b: 1 }), loop, { b: 1 });
  assert.deepEqual((await saver.get(skipped))?.channel_values, { a: 3, b: 1 });
});

test('S1: threads are apart, and removing one leaves the others', async (t) => {
  const { storage, lease } = await openSession(t);
  const saver = await storage.checkpointer(lease);
  const configs = await Promise.all(
    ['run-1', 'run-2'].map((id) =>
      saver.put({ configurable: { thread_id: id } }, checkpoint({ id }, { id: 1 }), loop, { id: 1 }),
    ),
  );
  await saver.deleteThread('run-1');
  const left = await Promise.all(configs.map((config) => saver.get(config)));
  assert.deepEqual(
    left.map((one) => one?.channel_values),
    [undefined, { id: 'run-2' }],
  );
});
