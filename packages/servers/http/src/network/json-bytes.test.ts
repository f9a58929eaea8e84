import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonBytes } from './json-bytes.ts';

test('T4: what is nested too deeply to be written is refused, and no error of the program', () => {
  assert.deepEqual(jsonBytes({ 名: [1] }), Buffer.from('{"名":[1]}'));
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
  const refused = jsonBytes(deep);
  assert.ok('failure' in refused);
  assert.equal(refused.failure.level, 'param');
});
