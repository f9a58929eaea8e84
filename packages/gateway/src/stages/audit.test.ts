import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeGateway } from '../testing/fake-gateway.ts';

test('G11: rows say who, what, by which rule, and tie the result to its digest; secrets are not in them', async () => {
  const house = fakeGateway({ write: {} }, { contained: ['write'] });
  await house.call({ arguments: { text: `hunter2 ${'x'.repeat(5_000)}` } });
  const [decision, result] = house.session.rows;
  assert.deepEqual(
    [decision?.actor, decision?.agent, decision?.server, decision?.tool],
    ['ann', 'agent', 's', 'write'],
  );
  assert.deepEqual([decision?.decision, decision?.rule, result?.decision], ['allowed', 'contained-write', 'result']);
  assert.match(result?.resultDigest ?? '', /^[0-9a-f]{64}$/u);
  assert.equal(decision?.argumentDigest, result?.argumentDigest);
  assert.ok(!JSON.stringify(house.session.rows).includes('hunter2'));
  assert.ok((decision?.arguments.length ?? 0) < 2_100);
});

test('G11: the decision row is written before the server is reached', async () => {
  const kinds: (string | undefined)[] = [];
  const call = () => {
    kinds.push(house.session.rows.at(-1)?.kind);
    return { content: [] };
  };
  const house = fakeGateway({ write: { call } }, { contained: ['write'] });
  await house.call({});
  assert.deepEqual(kinds, ['decision']);
  assert.equal(house.session.rows.length, 2);
});

test('G11: a stage that breaks still leaves a row', async () => {
  const house = fakeGateway();
  house.parts.taint.current = () => Promise.reject(new Error('broken stage'));
  const outcome = await house.call({});
  assert.ok(outcome.kind === 'failed');
  assert.deepEqual(
    house.session.rows.map((row) => [row.kind, row.decision, row.rule]),
    [['decision', 'failed', 'internal']],
  );
});
