import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permitChecks, readCheckPermission } from './check-permission.ts';

const checks = ['npm:test', 'npm:build', 'pytest'].map((id) => ({ id }));
const ids = (permission: Parameters<typeof permitChecks>[1]) => {
  const { permitted, off } = permitChecks(checks, permission);
  return [permitted.map(({ id }) => id), off.map(({ id }) => id)];
};

test('A4: all checks may be run, or only some, and denied ones never', () => {
  assert.deepEqual(ids({ deny: [] }), [['npm:test', 'npm:build', 'pytest'], []]);
  assert.deepEqual(ids({ only: ['npm:test', 'cargo'], deny: [] }), [['npm:test'], ['npm:build', 'pytest']]);
  assert.deepEqual(ids({ only: [], deny: [] }), [[], ['npm:test', 'npm:build', 'pytest']]);
  assert.deepEqual(ids({ only: ['npm:test', 'pytest'], deny: ['npm:test'] })[0], ['pytest']);
});

test('a permission is read strictly', () => {
  assert.deepEqual(readCheckPermission('{"only":["a"],"deny":["b"]}'), { only: ['a'], deny: ['b'] });
  assert.deepEqual(readCheckPermission('{}'), { deny: [] });
  for (const text of ['', '[]', '{"only":"a"}', '{"dney":[]}']) assert.equal(readCheckPermission(text), undefined);
});
