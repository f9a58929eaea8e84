import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckReport } from '@capstan/contracts';
import { OutputWindow } from './output-window.ts';
import { reportText } from './report-text.ts';

function reportOf(tests: CheckReport['tests']): CheckReport {
  const failed = tests.filter((found) => found.status === 'failed').length;
  return {
    checkId: 'npm:test',
    outcome: 'failed',
    exitCode: 1,
    passed: 2,
    failed,
    skipped: 0,
    tests,
    durationMs: 1234,
  };
}

function windowOf(text: string): OutputWindow {
  const window = new OutputWindow();
  window.addText(text);
  return window;
}

test('the verdict stands first, then failed tests with their messages, then the output', () => {
  const report = reportOf([{ id: 'a.js > x', name: 'x', status: 'failed', message: '1 == 2\n  at a.js:3' }]);
  assert.equal(
    reportText(report, windowOf('TAP\n'), ['A note.']),
    'npm:test failed: 2 passed, 1 failed, 0 skipped (exit code 1, 1.2 s).\nA note.\nFailed tests:\n' +
      '- a.js > x\n    1 == 2\n      at a.js:3\n\nOutput:\nTAP\n',
  );
});

test('T7: many failures and a long output stay within 8 KiB together', () => {
  const tests = Array.from({ length: 500 }, (_, index) => ({
    id: `a.js > ${index} ${'漢'.repeat(50)}`,
    name: 'x',
    status: 'failed' as const,
    message: '\u001b[31m😀\u001b[0m'.repeat(200),
  }));
  const text = reportText(reportOf(tests), windowOf('汉字 output\n'.repeat(10_000)), []);
  assert.ok(Buffer.byteLength(text) <= 8192);
  assert.ok(Buffer.byteLength(text) > 7900, 'the room is used');
  assert.match(text, /\.\.\. and \d+ more failed tests\./);
  assert.doesNotMatch(text, /\u{fffd}|\p{Cs}/u);
});

test('without a report the verdict says so', () => {
  assert.match(reportText(reportOf([]), windowOf(''), []), /^npm:test failed: no report of single tests \(exit code 1/);
});
