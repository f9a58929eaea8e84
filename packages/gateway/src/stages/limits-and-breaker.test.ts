import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeGateway } from '../testing/fake-gateway.ts';

const tier = { _meta: { 'capstan/tier': 'read' } };

test('G9: more calls than may wait for a server are refused', async () => {
  const gate = Promise.withResolvers<void>();
  const call = async () => {
    await gate.promise;
    return { content: [] };
  };
  const house = fakeGateway({ read: { ...tier, call } }, {}, { limits: { serverConcurrency: 1, serverQueue: 1 } });
  const first = house.call({ id: 'a' });
  const second = house.call({ id: 'b' });
  while (house.parts.limits.queue('s').waiting === 0) await new Promise((resolve) => setImmediate(resolve));
  const third = await house.call({ id: 'c' });
  assert.ok(third.kind === 'denied');
  assert.deepEqual([third.rule, third.failure.level], ['queue-full', 'retryable']);
  gate.resolve();
  assert.deepEqual([(await first).kind, (await second).kind], ['result', 'result']);
});

test('G9: limits are per user', async () => {
  const house = fakeGateway({ read: tier }, {}, { limits: { userPerMinute: 1 } });
  assert.equal((await house.call({ id: 'a' })).kind, 'result');
  assert.equal((await house.call({ id: 'b' })).kind, 'denied');
  assert.equal((await house.call({ id: 'c' }, { actor: 'bob' })).kind, 'result');
});

test('G10: nobody is asked about a server that is down', async () => {
  const house = fakeGateway({ write: {} });
  for (let failure = 0; failure < 3; failure += 1)
    await assert.rejects(house.parts.pool.breaker('s').run(() => Promise.reject(new Error('down'))));
  const outcome = await house.call({});
  assert.ok(outcome.kind === 'failed');
  assert.equal(outcome.failure.code, 'server-failed');
  assert.ok((outcome.failure.afterMs ?? 0) > 0);
  assert.deepEqual(await house.session.approvals.waiting(), []);
});
