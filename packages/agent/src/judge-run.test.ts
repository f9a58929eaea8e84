import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckReport, TestStatus } from '@capstan/contracts';
import fc from 'fast-check';
import { compareReports } from './compare-reports.ts';
import type { Evidence } from './evidence.ts';
import { judgeRun } from './judge-run.ts';

function report(tests: Record<string, TestStatus>): CheckReport {
  const count = (status: TestStatus) => Object.values(tests).filter((each) => each === status).length;
  const failed = count('failed');
  return {
    checkId: 'npm:test',
    outcome: failed > 0 ? 'failed' : 'passed',
    exitCode: failed > 0 ? 1 : 0,
    passed: count('passed'),
    failed,
    skipped: count('skipped'),
    tests: Object.entries(tests).map(([id, status]) => ({ id, name: id, file: `test/${id}.mjs`, status })),
    durationMs: 1,
  };
}

const evidence = (part: Partial<Evidence>): Evidence => ({
  kind: 'change',
  asksForRepair: true,
  mayLoseTests: false,
  before: [report({ a: 'failed', b: 'passed' })],
  after: [report({ a: 'passed', b: 'passed' })],
  unstable: new Set(),
  changedFiles: ['src/a.mjs'],
  looks: 1,
  claims: [],
  ...part,
});
const verdict = (part: Partial<Evidence>) => judgeRun(evidence(part)).verdict;

test('A4: verified needs a change, passing checks and nothing broken', () => {
  assert.equal(verdict({}), 'verified');
  assert.equal(verdict({ changedFiles: [] }), 'not-verified');
  assert.equal(verdict({ after: [report({ a: 'failed', b: 'passed' })] }), 'not-verified');
  assert.equal(verdict({ after: [report({ a: 'passed', b: 'failed' })] }), 'not-verified');
});

test('A4: a test that was taken away or skipped does not count as passing', () => {
  assert.equal(verdict({ after: [report({ a: 'passed' })] }), 'not-verified');
  assert.equal(verdict({ after: [report({ a: 'passed', b: 'skipped' })] }), 'not-verified');
  const skipped = judgeRun(evidence({ after: [report({ a: 'skipped', b: 'passed' })] }));
  assert.deepEqual(skipped.stillFailing, ['a']);
});

test('A4: a new test that fails is not verified', () => {
  const judged = judgeRun(evidence({ after: [report({ a: 'passed', b: 'passed', c: 'failed' })] }));
  assert.deepEqual([judged.verdict, judged.broken], ['not-verified', ['c']]);
});

test('A4: what failed before and was not asked for does not stand in the way', () => {
  const after = [report({ a: 'failed', b: 'passed' })];
  assert.equal(verdict({ after, asksForRepair: false }), 'verified');
});

test('A4: a check that fails though no test does is not verified', () => {
  const after = [{ ...report({ a: 'passed', b: 'passed' }), outcome: 'failed' as const, exitCode: 1 }];
  assert.equal(verdict({ after }), 'not-verified');
});

test('A4: tests that are gone make any change not verified, by name', () => {
  const taken = judgeRun(evidence({ after: [report({ a: 'passed' })], asksForRepair: false }));
  assert.equal(taken.verdict, 'not-verified');
  assert.match(taken.reason, /^1 test ran before and do not run any more: b\./);
  const nothing = { before: [report({ a: 'failed' })], after: [report({})], asksForRepair: false };
  assert.match(judgeRun(evidence(nothing)).reason, /^1 test ran before and do not run any more: a\./);
});

test('A4: a task that asks for it may take tests away, and that is said', () => {
  const part = { after: [report({ a: 'passed' })], asksForRepair: false, mayLoseTests: true };
  const judged = judgeRun(evidence(part));
  assert.equal(judged.verdict, 'verified');
  assert.match(judged.reason, /Skipped or no longer there: b\./);
});

test('N3: unstable tests are set aside and named', () => {
  const before = [report({ a: 'failed', b: 'passed', u: 'passed' })];
  const after = [report({ a: 'passed', b: 'passed', u: 'failed' })];
  assert.equal(verdict({ before, after }), 'not-verified');
  const judged = judgeRun(evidence({ before, after, unstable: new Set(['u']) }));
  assert.equal(judged.verdict, 'verified');
  assert.match(judged.reason, /Set aside as unstable: u\./);
});

test('A4: an edited test file is named', () => {
  assert.match(judgeRun(evidence({ changedFiles: ['test/a.mjs'] })).reason, /Test files were changed: test\/a\.mjs/);
});

test('A4: without checks a change is not checked, and a false statement not verified', () => {
  assert.equal(verdict({ before: [], after: [] }), 'not-checked');
  const claims = [{ sentence: 'I ran it.', supported: false }];
  assert.equal(verdict({ before: [], after: [], claims }), 'not-verified');
});

test('A4: every test of both reports is in exactly one group, and verified never hides a failing one', () => {
  const status = fc.constantFrom<TestStatus>('passed', 'failed', 'skipped');
  const suite = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), status);
  fc.assert(
    fc.property(suite, suite, (then, now) => {
      const before = [report(then)];
      const after = [report(now)];
      const groups = compareReports(before, after);
      const all = [...groups.fixed, ...groups.broken, ...groups.gone, ...groups.stillFailing, ...groups.newlyFailing];
      assert.equal(new Set(all).size, all.length);
      if (verdict({ before, after }) !== 'verified') return;
      assert.ok(!Object.values(now).includes('failed'));
      assert.ok(Object.entries(then).every(([id, was]) => was === 'skipped' || now[id] === 'passed'));
    }),
  );
});

test('A4: a check that is red without a single test is named', () => {
  const after = [{ ...report({}), outcome: 'failed' as const, exitCode: 2 }];
  assert.match(judgeRun(evidence({ after })).reason, /^npm:test fails with exit code 2 and reports no single test\./);
});
