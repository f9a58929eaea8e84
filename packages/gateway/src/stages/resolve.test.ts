import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeGateway } from '../testing/fake-gateway.ts';

test('G1: a call without an id is refused, because nothing could be bound to it', async () => {
  const outcome = await fakeGateway().call({ id: '' });
  assert.ok(outcome.kind === 'denied');
  assert.equal(outcome.rule, 'no-call-id');
});

test('G4: a pin covers every field that a model sees; a change blocks, and going back does not unblock', async () => {
  const first = { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } };
  const changes = [
    { description: 'Reads all.' },
    { title: 'Reader' },
    { annotations: { title: 'x' } },
    { inputSchema: { type: 'object', properties: { path: { type: 'string', description: 'x' } } } },
    { outputSchema: { type: 'object' } },
  ];
  for (const change of changes) {
    const house = fakeGateway({ read: { ...first, _meta: { 'capstan/tier': 'read' } } });
    assert.equal((await house.call({ id: 'a' })).kind, 'result');
    house.parts.catalog.accept('s', [{ ...first, ...change }]);
    house.parts.catalog.accept('s', [first]);
    const outcome = await house.call({ id: 'b' });
    assert.ok(outcome.kind === 'denied', JSON.stringify(change));
    assert.equal(outcome.rule, 'definition-changed');
  }
});

test('G4: a tool that its server no longer lists cannot be called', async () => {
  const house = fakeGateway();
  house.parts.catalog.accept('s', []);
  const outcome = await house.call({});
  assert.ok(outcome.kind === 'denied');
  assert.equal(outcome.rule, 'unknown-tool');
});
