import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { CapstanError } from '@capstan/contracts';
import { createBreaker } from './breaker.ts';

const options = { failures: 2, openMilliseconds: 1_000, maximumMilliseconds: 3_000 };
const broken = async (): Promise<string> => {
  throw new Error('broken');
};
const healthy = async (): Promise<string> => 'fine';

test('G10: the circuit opens after failures in a row, tries once after the pause, and closes on success', async (t) => {
  mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
  t.after(() => mock.timers.reset());
  const breaker = createBreaker('mail', options);
  await assert.rejects(breaker.run(broken), /broken/);
  assert.equal(await breaker.run(healthy), 'fine');
  await assert.rejects(breaker.run(broken), /broken/);
  assert.equal(breaker.state, 'closed');
  await assert.rejects(breaker.run(broken), /broken/);
  assert.equal(breaker.state, 'open');
  assert.equal(breaker.afterMs, 1_000);
  assert.throws(() => breaker.check(), /left alone/);
  let calls = 0;
  const counted = async (): Promise<string> => `call ${++calls}`;
  await assert.rejects(breaker.run(counted), (error) => {
    assert.ok(error instanceof CapstanError);
    assert.equal(error.code, 'server-failed');
    assert.equal(error.level, 'retryable');
    return true;
  });
  assert.equal(calls, 0);
  mock.timers.tick(1_000);
  breaker.check();
  assert.equal(await breaker.run(counted), 'call 1');
  assert.equal(breaker.state, 'closed');
});

test('G10: the pause grows with each trial that fails, up to its maximum', async (t) => {
  mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
  t.after(() => mock.timers.reset());
  const breaker = createBreaker('mail', options);
  await assert.rejects(breaker.run(broken));
  await assert.rejects(breaker.run(broken));
  const pauses: number[] = [];
  for (let trial = 0; trial < 4; trial += 1) {
    pauses.push(breaker.afterMs);
    mock.timers.tick(breaker.afterMs);
    await assert.rejects(breaker.run(broken), /broken/);
  }
  assert.deepEqual(pauses, [1_000, 2_000, 3_000, 3_000]);
});

test('G10: errors that do not count leave the circuit closed', async () => {
  const breaker = createBreaker('mail', {
    ...options,
    counts: (error) => !(error instanceof Error && error.message === 'broken'),
  });
  for (let call = 0; call < 5; call += 1) await assert.rejects(breaker.run(broken), /broken/);
  assert.equal(breaker.state, 'closed');
});
