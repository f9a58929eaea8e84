import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckReport, TestStatus } from '@capstan/contracts';
import fc from 'fast-check';
import { failingAfter, failingIn } from './compare-reports.ts';

function report(checkId: string, tests: Record<string, TestStatus>, isRed = false): CheckReport {
  const count = (status: TestStatus) => Object.values(tests).filter((each) => each === status).length;
  const red = isRed || count('failed') > 0;
  return {
    checkId,
    outcome: red ? 'failed' : 'passed',
    exitCode: red ? 1 : 0,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    tests: Object.entries(tests).map(([id, status]) => ({ id, name: id, status })),
    durationMs: 1,
  };
}

test('A13: a check that stays red by its exit code alone is no progress', () => {
  const before = [report('npm:build', {}, true)];
  assert.equal(failingAfter(before, before), failingIn(before));
});

test('A13: a check that is red though all its tests pass counts', () => {
  assert.equal(failingIn([report('npm:test', { a: 'passed' }, true)]), 1);
});

test('A13: a suite that no longer starts is not better than one with failing tests', () => {
  const before = [report('npm:test', { a: 'failed', b: 'failed', c: 'failed' })];
  assert.equal(failingAfter(before, [report('npm:test', {}, true)]), 3);
});

test('A13: one of two failing tests mended is progress, whatever another check says', () => {
  const build = report('npm:build', {}, true);
  const before = [build, report('npm:test', { a: 'failed', b: 'failed' })];
  const after = [build, report('npm:test', { a: 'passed', b: 'failed' })];
  assert.ok(failingAfter(before, after) < failingIn(before));
});

test('N3: a check that is red through unstable tests alone does not count', () => {
  assert.equal(failingIn([report('npm:test', { u: 'failed' })], new Set(['u'])), 0);
});

test('A13: without a change nothing is better', () => {
  const suite = fc.dictionary(
    fc.constantFrom('a', 'b', 'c'),
    fc.constantFrom<TestStatus>('passed', 'failed', 'skipped'),
  );
  fc.assert(
    fc.property(suite, fc.boolean(), (tests, isRed) => {
      const reports = [report('npm:test', tests, isRed)];
      assert.equal(failingAfter(reports, reports), failingIn(reports));
    }),
  );
});
