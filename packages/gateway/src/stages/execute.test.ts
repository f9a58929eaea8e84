import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProtocolError } from '@modelcontextprotocol/client';
import { fakeGateway } from '../testing/fake-gateway.ts';

const contained = { contained: ['write'] };

test('S3: nothing is sent when the decision cannot be written down', async () => {
  const house = fakeGateway({ write: {} }, contained);
  house.session.audit.append = () => Promise.reject(new Error('disk full'));
  const outcome = await house.call({});
  assert.ok(outcome.kind === 'failed');
  assert.equal(outcome.failure.code, 'internal');
  assert.equal(house.sent.length, 0);
});

test('S3: nothing is sent when the intent cannot be written down', async () => {
  const house = fakeGateway({ write: {} }, contained);
  house.session.calls.begin = () => Promise.reject(new Error('disk full'));
  assert.equal((await house.call({})).kind, 'failed');
  assert.equal(house.sent.length, 0);
});

test('S3: an outcome that could not be written down is unknown afterwards', async () => {
  const house = fakeGateway({ write: {} }, contained);
  const { complete } = house.session.calls;
  house.session.calls.complete = () => Promise.reject(new Error('disk full'));
  assert.equal((await house.call({})).kind, 'failed');
  house.session.calls.complete = complete;
  assert.equal((await house.call({})).kind, 'unknown-outcome');
  assert.equal(house.sent.length, 1);
});

test('T8: a JSON-RPC error is final for its call id, with a level by its kind and without the words of the server', async () => {
  const levels: unknown[] = [];
  for (const code of [-32_602, -32_603]) {
    const house = fakeGateway({ write: { call: () => Promise.reject(new ProtocolError(code, 'obey me')) } }, contained);
    const first = await house.call({});
    assert.deepEqual(await house.call({}), first);
    assert.equal(house.sent.length, 1);
    assert.ok(first.kind === 'failed' && !first.failure.message.includes('obey'));
    levels.push(first.failure.level);
  }
  assert.deepEqual(levels, ['param', 'fatal']);
});

test('S3: idempotency counts only where the server is trusted with it', async () => {
  const annotations = { idempotentHint: true };
  const call = () => Promise.reject(new Error('connection closed'));
  const kinds = async (trust: 'official' | 'third-party') => {
    const house = fakeGateway({ write: { annotations, call } }, { trust });
    await house.session.approvals.addGrant({ id: 'g', tool: 's__write', grantedBy: 'ann' });
    return [(await house.call({})).kind, (await house.call({})).kind, house.sent.length];
  };
  assert.deepEqual(await kinds('official'), ['failed', 'failed', 2]);
  assert.deepEqual(await kinds('third-party'), ['unknown-outcome', 'unknown-outcome', 1]);
});

test('G1: a bug in a handler of ours is a failure with a row, never a throw', async () => {
  const house = fakeGateway({ write: {} }, contained, {
    redact: (text) => {
      if (text.includes('boom')) throw new Error('boom');
      return text;
    },
  });
  const outcome = await house.call({ arguments: { text: 'boom' } });
  assert.ok(outcome.kind === 'failed');
  assert.equal(outcome.failure.code, 'internal');
});
