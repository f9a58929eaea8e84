import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Grant, ToolCall } from '@capstan/contracts';
import { matchingGrant } from './matching-grant.ts';

const call = (input: Record<string, unknown>, name = 's__write'): ToolCall => ({
  id: 'c',
  name,
  arguments: input,
  taint: 'clean',
});
const grant = (more: Partial<Grant> = {}): Grant => ({
  id: 'g',
  sessionId: 's',
  tool: 's__write',
  grantedBy: 'ann',
  ...more,
});

test('G3: a grant covers its tool, within its pattern and its time', () => {
  assert.equal(matchingGrant([grant()], call({}), 5)?.id, 'g');
  assert.equal(matchingGrant([grant()], call({}, 's__delete'), 5), undefined);
  assert.equal(matchingGrant([grant({ expiresAt: 5 })], call({}), 5), undefined);
  assert.equal(matchingGrant([grant({ expiresAt: 6 })], call({}), 5)?.id, 'g');
});

test('G3: patterns match whole values, stay within segments, and never cover a climb', () => {
  const covers = (pattern: string, path: unknown): boolean =>
    matchingGrant([grant({ pattern: { path: pattern } })], call({ path }), 0) !== undefined;
  assert.equal(covers('src/*.ts', 'src/a.ts'), true);
  assert.equal(covers('src/*.ts', 'src/b/a.ts'), false);
  assert.equal(covers('src/**', 'src/b/a.ts'), true);
  assert.equal(covers('src/**', 'src/../secret'), false);
  assert.equal(covers('src/**', 'lib/src/a.ts'), false);
  assert.equal(covers('a?c.(x)', 'abc.(x)'), true);
  assert.equal(covers('a.c', 'abc'), false);
  assert.equal(covers('*', undefined), false);
  assert.equal(covers('*', 3), false);
});
