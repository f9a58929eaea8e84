import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckReport, ToolCall } from '@capstan/contracts';
import { checkClaims } from './claims.ts';

const call = (name: string, args: Record<string, unknown> = {}): ToolCall => ({
  id: name,
  name,
  arguments: args,
  taint: 'unknown',
});
const edited = call('fs-write__edit_files', { edits: [{ path: 'src/sum.mjs', oldText: 'a', newText: 'b' }] });
const ran = call('exec__run_check', { checkId: 'npm:test' });
const read = call('fs-read__read_files', { files: [{ path: 'src/sum.mjs' }] });
const report = (outcome: 'passed' | 'failed'): CheckReport => ({
  checkId: 'npm:test',
  outcome,
  exitCode: outcome === 'passed' ? 0 : 1,
  passed: 1,
  failed: outcome === 'passed' ? 0 : 1,
  skipped: 0,
  tests: [],
  durationMs: 1,
});

const supported = (text: string, calls: ToolCall[], after = [report('passed')]) =>
  checkClaims(text, calls, after).map((claim) => claim.supported);

test('A4: a statement about an edit needs an edit', () => {
  for (const text of [
    'I fixed the bug.',
    'The operator was corrected.',
    '我修复了这个问题。',
    '已修改 src/sum.mjs。',
    '改好了。',
  ]) {
    assert.deepEqual(supported(text, [read, ran]), [false], text);
    assert.deepEqual(supported(text, [edited]), [true], text);
  }
});

test('A4: a statement about an edit of a file needs an edit of that file', () => {
  assert.deepEqual(supported('I updated src/sum.mjs.', [edited]), [true]);
  assert.deepEqual(supported('I updated src/other.mjs.', [edited]), [false]);
});

test('A4: a statement about a run needs a run', () => {
  for (const text of ['I ran the tests.', 'I re-ran everything.', '我运行了测试。', '已经验证。']) {
    assert.deepEqual(supported(text, [edited, read]), [false], text);
    assert.deepEqual(supported(text, [ran]), [true], text);
  }
});

test('A4: that tests pass is for the reports to say', () => {
  for (const text of ['All tests pass now.', 'The suite is green.', '所有测试都通过。']) {
    assert.deepEqual(supported(text, [edited, ran], [report('failed')]), [false], text);
    assert.deepEqual(supported(text, [], [report('passed')]), [true], text);
  }
});

test('A4: what is denied, planned or asked is no statement that something was done', () => {
  for (const text of [
    'I have not changed anything.',
    'Nothing was edited.',
    'This should be fixed in the parser.',
    'The tests do not pass.',
    '没有修改任何文件。',
    '测试未通过。',
    '需要修改 src/sum.mjs。',
    'Look at src/sum.mjs.',
  ]) {
    assert.deepEqual(checkClaims(text, [], []), [], text);
  }
});

test('A4: each sentence stands for itself', () => {
  const text = 'I read the files. I fixed src/sum.mjs in one place. I ran the linter.\n- 我运行了测试。';
  assert.deepEqual(supported(text, [edited]), [true, false, false]);
});
