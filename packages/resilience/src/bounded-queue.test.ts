import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBoundedQueue } from './bounded-queue.ts';

test('G9: work over the bound is refused, what was accepted runs in order', async () => {
  const queue = createBoundedQueue({ concurrency: 1, waiting: 1 });
  const gate = Promise.withResolvers<void>();
  const order: string[] = [];
  const first = queue.run(async () => {
    await gate.promise;
    order.push('first');
  });
  const second = queue.run(async () => {
    order.push('second');
    return 2;
  });
  assert.deepEqual(await queue.run(async () => order.push('third')), { accepted: false });
  gate.resolve();
  await first;
  assert.deepEqual(await second, { accepted: true, value: 2 });
  assert.deepEqual(order, ['first', 'second']);
});

test('G9: an abort takes waiting work away and leaves running work its slot until it settles', async () => {
  const queue = createBoundedQueue({ concurrency: 1, waiting: 5 });
  const gate = Promise.withResolvers<string>();
  const running = new AbortController();
  const waiting = new AbortController();
  const first = queue.run(() => gate.promise, running.signal);
  let ran = false;
  const second = queue.run(async () => {
    ran = true;
  }, waiting.signal);
  running.abort(new Error('too late'));
  waiting.abort(new Error('not needed'));
  await assert.rejects(second, /not needed/);
  assert.equal(queue.running, 1);
  gate.resolve('done');
  assert.deepEqual(await first, { accepted: true, value: 'done' });
  assert.equal(ran, false);
});

test('G9: a failure reaches its caller and frees the slot', async () => {
  const queue = createBoundedQueue({ concurrency: 1, waiting: 0 });
  await assert.rejects(
    queue.run(async () => Promise.reject(new Error('no'))),
    /no/,
  );
  assert.deepEqual(await queue.run(async () => 'yes'), { accepted: true, value: 'yes' });
});
