import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeGateway } from '../testing/fake-gateway.ts';

const read = { read: { _meta: { 'capstan/tier': 'read' } } };
const pure = { pure: ['read'] };

test('G14: nothing is kept without a digest of the workspace, nor for tools that are not pure or not ours', async () => {
  const workspaceState = async () => 'same';
  const houses = [
    fakeGateway(read, pure),
    fakeGateway(read, {}, { workspaceState }),
    fakeGateway(read, { ...pure, trust: 'reviewed', tiers: { read: 'read' } }, { workspaceState }),
  ];
  for (const house of houses) {
    await house.call({ id: 'a' });
    await house.call({ id: 'b' });
    assert.equal(house.sent.length, 2);
  }
});

test('G14: what changes while a tool works is not kept, and each part of the key keeps callers apart', async () => {
  let state = 0;
  const moving = fakeGateway(read, pure, { workspaceState: async () => `${state++}` });
  await moving.call({ id: 'a' });
  const house = fakeGateway(read, pure, { workspaceState: async () => 'same' });
  const count = async (call: object, context = {}) => {
    await house.call({ id: `c-${Math.random()}`, ...call }, context);
    return house.sent.length;
  };
  assert.deepEqual([await count({}), await count({})], [1, 1]);
  assert.equal(await count({}, { actor: 'bob' }), 2);
  assert.equal(await count({}, { agent: 'other' }), 3);
  assert.equal(await count({ arguments: { x: 1 } }), 4);
  assert.equal(await count({ taint: 'tainted' }), 5);
  await house.session.approvals.addGrant({ id: 'g', tool: 's__read', grantedBy: 'ann' });
  assert.equal(await count({}), 6);
  await house.parts.taint.raise({ integrity: 'external', secrecy: 'public', origin: 'x' }, 'c');
  assert.equal(await count({}), 7);
  assert.equal(await count({}), 7);
});

test('G14: failures are not kept', async () => {
  const failing = { read: { ...read.read, call: () => ({ content: [], isError: true }) } };
  const house = fakeGateway(failing, pure, { workspaceState: async () => 'same' });
  await house.call({ id: 'a' });
  await house.call({ id: 'b' });
  assert.equal(house.sent.length, 2);
});
