import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeGateway } from '../testing/fake-gateway.ts';

const inputSchema = {
  type: 'object',
  properties: { path: { type: 'string' }, line: { type: 'integer', minimum: 1 } },
  required: ['path'],
  additionalProperties: false,
};

test('T4: the answer to wrong arguments says what was wrong and what fits', async () => {
  const house = fakeGateway({ read: { inputSchema, _meta: { 'capstan/tier': 'read' } } });
  const explain = async (input: Record<string, unknown>) => {
    const outcome = await house.call({ arguments: input });
    assert.ok(outcome.kind === 'denied');
    return outcome.failure.message;
  };
  const fits = 'Parameters: path (string, required), line (integer, optional).';
  assert.equal(await explain({}), `Wrong arguments: they must have required property 'path'. ${fits}`);
  assert.match(await explain({ path: 'a', line: 0 }), /line must be >= 1/u);
  assert.match(await explain({ path: 'a', lines: 3 }), /There is no parameter called "lines"\./u);
  assert.equal((await house.call({ arguments: { path: 'a', line: 2 } })).kind, 'result');
  assert.equal(house.sent.length, 1);
});
