import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Check, CheckReport, type Framework } from '@capstan/contracts';
import fc from 'fast-check';
import type { CheckRun } from './check-run.ts';
import { readReport } from './read-report.ts';
import { reportRequest } from './report-request.ts';

const fixture = (name: string): string => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8');

function checkOf(framework: Framework, more: Partial<Check> = {}): Check {
  const argv = ['npm', 'test'];
  const appendableArgv = ['npm', 'test', '--'];
  return Check.parse({ id: 'c', kind: 'test', framework, argv, appendableArgv, directory: '.', source: 's', ...more });
}

function runOf(more: Partial<CheckRun>): CheckRun {
  const empty = { exitCode: 1, ended: 'exit', durationMs: 5, stdout: '', stderr: '', files: {}, root: '/workspace' };
  return { ...empty, ...more } as CheckRun;
}

const lines = (report: CheckReport): string[] => report.tests.map((found) => `${found.status} ${found.id}`);

const NODE_TESTS = [
  'passed test/a.test.js > top',
  'passed test/a.test.js > top #2',
  'failed test/a.test.js > suite > inner',
  'skipped test/a.test.js > suite > skipped',
  'skipped test/a.test.js > suite > todo',
  'skipped test/a.test.js > suite > todo failing',
  'passed test/a.test.js > suite > deep > x',
  'failed test/a.test.js > parent > child',
  'failed test/b.test.js',
  'failed test/c.test.js > hooked > never runs',
  'failed test/c.test.js > hooked',
  'passed test/c.test.js > slow group > one',
  'passed test/c.test.js > slow group > two',
  'passed test/plain.test.js',
];

for (const version of ['20', '24']) {
  test(`node:test of Node ${version} is read test by test, with stable ids`, () => {
    const files = { 'node-test.jsonl': fixture(`node-test-${version}.jsonl`) };
    const report = readReport(checkOf('node-test'), runOf({ files }));
    assert.deepEqual(lines(report), NODE_TESTS);
    assert.deepEqual([report.passed, report.failed, report.skipped], [6, 5, 3]);
    assert.match(report.tests[2]?.message ?? '', /^1 == 2\n.*a\.test\.js:5:52/);
    assert.match(report.tests[7]?.message ?? '', /^bad\nred\n/, 'colours are gone');
    assert.match(report.tests[8]?.message ?? '', /Cannot find module/, 'why a file could not be loaded');
  });

  test(`node:test of Node ${version}: a test that never ends is named`, () => {
    const files = { 'node-test.jsonl': fixture(`node-test-${version}-hang.jsonl`) };
    const report = readReport(checkOf('node-test'), runOf({ files, ended: 'timed-out', exitCode: null }));
    assert.equal(report.outcome, 'timed-out');
    assert.deepEqual(lines(report), [
      'passed test/wait.test.js > quick',
      'passed test/wait.test.js > outer > ends',
      'failed test/wait.test.js > outer > waits',
    ]);
  });
}

test('vitest is read, with each-namesakes apart and the file that did not load', () => {
  const report = readReport(checkOf('vitest'), runOf({ files: { 'vitest.json': fixture('vitest.json') } }));
  assert.deepEqual(lines(report), [
    'passed test/a.test.js > adds',
    'failed test/a.test.js > cart > totals',
    'skipped test/a.test.js > cart > later',
    'skipped test/a.test.js > cart > planned',
    'passed test/a.test.js > cart > same',
    'passed test/a.test.js > cart > same #2',
    'failed test/b.test.js',
  ]);
  assert.match(report.tests[6]?.message ?? '', /missing\.js/);
});

test('jest is read from the same format', () => {
  const ended = { ancestorTitles: ['cart'], title: 'totals', status: 'failed', duration: 3, failureMessages: ['no'] };
  const pending = { ancestorTitles: [], title: 'later', status: 'pending', duration: null, failureMessages: null };
  const json = {
    testResults: [{ name: '/workspace/a.test.js', status: 'failed', assertionResults: [ended, pending] }],
  };
  const report = readReport(checkOf('jest'), runOf({ files: { 'jest.json': JSON.stringify(json) } }));
  assert.deepEqual(lines(report), ['failed a.test.js > cart > totals', 'skipped a.test.js > later']);
  assert.equal(report.tests[0]?.message, 'no');
});

test('mocha is read from its file, or from the output of a version that writes none', () => {
  const entry = (title: string, err = {}): object => ({
    title,
    fullTitle: `cart ${title}`,
    file: '/workspace/t.js',
    err,
  });
  const json = JSON.stringify({
    passes: [entry('adds')],
    failures: [entry('totals', { message: 'no', stack: 'Error: no\n    at t.js' })],
    pending: [entry('later')],
  });
  const expected = ['passed t.js > cart adds', 'failed t.js > cart totals', 'skipped t.js > cart later'];
  assert.deepEqual(lines(readReport(checkOf('mocha'), runOf({ files: { 'mocha.json': json } }))), expected);
  const stdout = `\n> test\n> mocha\n\n${json}\n`;
  assert.deepEqual(lines(readReport(checkOf('mocha'), runOf({ stdout }))), expected);
});

test('pytest is read: parameters, classes, expected failures, broken set-up and collection', () => {
  const report = readReport(checkOf('pytest'), runOf({ files: { 'pytest.xml': fixture('pytest.xml') } }));
  assert.deepEqual(lines(report), [
    'failed tests/test_load.py > tests.test_load',
    'passed tests/test_cart.py > test_total',
    'failed tests/test_cart.py > TestTotals > test_rounding',
    'passed tests/test_cart.py > TestTotals > test_each[1]',
    'failed tests/test_cart.py > TestTotals > test_each[2]',
    'skipped tests/test_cart.py > TestTotals > test_skipped',
    'skipped tests/test_cart.py > TestTotals > test_known',
    'failed tests/test_cart.py > test_needs',
  ]);
  assert.match(report.tests[2]?.message ?? '', /half < up & more\nassert 2\.67 == 2\.68/);
});

test('cargo is read: targets from standard error, tests from standard output', () => {
  const output = { stdout: fixture('cargo.out.txt'), stderr: fixture('cargo.err.txt'), exitCode: 101 };
  const report = readReport(checkOf('cargo'), runOf(output));
  assert.deepEqual(lines(report), [
    'passed src/lib.rs > tests > adds',
    'skipped src/lib.rs > tests > later',
    'failed src/lib.rs > tests > fails',
    'passed src/lib.rs > tests > panics',
    'passed tests/whole.rs > adds',
    'passed tests/whole.rs > inner > deep',
    'passed doc-tests cart > src/lib.rs > add',
  ]);
  assert.match(report.tests[2]?.message ?? '', /not four/);
  const cut = readReport(checkOf('cargo'), runOf({ ...output, stderr: '' }));
  assert.deepEqual(lines(cut).at(-1), 'passed src/lib.rs > add', 'without targets there are no files');
});

test('go is read: sub-tests stand for their test, a package that did not build for itself', () => {
  const events = [
    { Action: 'run', Package: 'cart', Test: 'TestAdd' },
    { Action: 'output', Package: 'cart', Test: 'TestAdd/zero', Output: '    cart_test.go:9: got 1\n' },
    { Action: 'fail', Package: 'cart', Test: 'TestAdd/zero', Elapsed: 0.01 },
    { Action: 'pass', Package: 'cart', Test: 'TestAdd/one', Elapsed: 0 },
    { Action: 'fail', Package: 'cart', Test: 'TestAdd', Elapsed: 0.01 },
    { Action: 'skip', Package: 'cart', Test: 'TestLater' },
    { Action: 'fail', Package: 'cart' },
    { Action: 'output', Package: 'broken', Output: 'FAIL\tbroken [build failed]\n' },
    { Action: 'fail', Package: 'broken' },
  ];
  const stdout = `# broken\n${events.map((event) => JSON.stringify(event)).join('\n')}\n`;
  const report = readReport(checkOf('go'), runOf({ stdout }));
  assert.deepEqual(lines(report), [
    'failed cart > TestAdd > zero',
    'passed cart > TestAdd > one',
    'skipped cart > TestLater',
    'failed broken',
  ]);
  assert.equal(report.tests[0]?.message, 'cart_test.go:9: got 1');
});

test('A4: the exit code of the own command decides, whatever a report says', () => {
  const passed = JSON.stringify({
    testResults: [{ name: 'a', status: 'passed', assertionResults: [{ title: 't', status: 'passed' }] }],
  });
  const failed = passed.replaceAll('passed', 'failed');
  const outcome = (files: Record<string, string>, exitCode: number | null): string =>
    readReport(checkOf('vitest'), runOf({ files, exitCode })).outcome;
  assert.equal(outcome({ 'vitest.json': passed }, 0), 'passed');
  assert.equal(outcome({ 'vitest.json': passed }, 1), 'failed');
  assert.equal(outcome({ 'vitest.json': passed }, null), 'failed');
  assert.equal(outcome({ 'vitest.json': failed }, 0), 'failed', 'a script that swallows the exit code');
  assert.equal(outcome({}, 0), 'passed');
});

test('A4: a second run gives details and no verdict', () => {
  const { appendableArgv: _, ...plain } = checkOf('jest');
  const check: Check = { ...plain, directArgv: ['node', 'jest.js'] };
  assert.deepEqual(reportRequest(check, '/r').details?.argv, [
    'node',
    'jest.js',
    '--json',
    '--outputFile=/r/jest.json',
  ]);
  const json = JSON.stringify({
    testResults: [{ name: 'a', status: 'failed', assertionResults: [{ title: 't', status: 'failed' }] }],
  });
  const details = { exitCode: 1, stdout: '', stderr: '', files: { 'jest.json': json } };
  assert.deepEqual(lines(readReport(check, runOf({ exitCode: 1, details }))), ['failed a > t']);
  const passed = readReport(check, runOf({ exitCode: 0, details }));
  assert.deepEqual([passed.outcome, passed.tests], ['passed', []]);
});

test('node:test with reporters or NODE_OPTIONS of its own runs a second time for its report', () => {
  const own = checkOf('node-test', {
    directArgv: ['node', '--test', '--test-reporter', 'dot', '--test-reporter-destination=x', 'a.js'],
  });
  const request = reportRequest(own, '/r');
  assert.deepEqual([request.argv, request.environment], [['npm', 'test'], {}]);
  assert.deepEqual(request.details?.argv, ['node', '--test', 'a.js']);
  const options = checkOf('node-test', {
    directArgv: ['node', '--test'],
    directEnvironment: { NODE_OPTIONS: '--no-warnings' },
  });
  assert.match(
    reportRequest(options, '/r').details?.environment.NODE_OPTIONS ?? '',
    /^--no-warnings --test-reporter=spec /,
  );
  assert.equal(reportRequest(checkOf('node-test'), '/r').details, undefined);
});

test('node:test behind another program runs a second time only where the first run left no report', () => {
  const check = checkOf('node-test', { directArgv: ['node', '--test'] });
  const { details, environment } = reportRequest(check, '/r');
  assert.deepEqual([details?.argv, details?.ifMissing], [['node', '--test'], true]);
  assert.equal(details?.environment.NODE_OPTIONS, environment.NODE_OPTIONS);
  const files = { 'node-test.jsonl': fixture('node-test-20.jsonl') };
  const first = readReport(check, runOf({ exitCode: 1, files }));
  const second = readReport(check, runOf({ exitCode: 1, details: { exitCode: 1, stdout: '', stderr: '', files } }));
  assert.ok(first.tests.length > 0);
  assert.deepEqual(second.tests, first.tests);
  assert.equal(readReport(check, runOf({ exitCode: 0, files })).outcome, 'failed');
});

const frameworks: readonly Framework[] = ['node-test', 'vitest', 'jest', 'mocha', 'pytest', 'cargo', 'go', 'make'];
const fixtures = ['node-test-20.jsonl', 'node-test-24-hang.jsonl', 'vitest.json', 'pytest.xml', 'cargo.out.txt'].map(
  fixture,
);

/** A real report with a cut, a copy or a changed character somewhere. */
const damaged = fc
  .tuple(fc.constantFrom(...fixtures), fc.nat(), fc.nat(), fc.string())
  .map(([text, a, b, insert]) => text.slice(0, a % text.length) + insert + text.slice(b % text.length));

test('no report, however damaged, throws; the counts add up and ids are distinct', () => {
  const texts = fc.oneof(damaged, fc.string(), fc.json(), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(
      fc.constantFrom(...frameworks),
      texts,
      texts,
      fc.integer({ min: 0, max: 2 }),
      (framework, text, other, exitCode) => {
        const check = checkOf(framework);
        const name = reportRequest(check, '/r').file ?? 'none';
        const report = readReport(check, runOf({ files: { [name]: text }, stdout: text, stderr: other, exitCode }));
        assert.deepEqual(CheckReport.parse(report), report);
        assert.equal(report.passed + report.failed + report.skipped, report.tests.length);
        assert.equal(new Set(report.tests.map((found) => found.id)).size, report.tests.length);
        assert.ok(exitCode === 0 || report.outcome === 'failed');
      },
    ),
    { numRuns: 400 },
  );
});
