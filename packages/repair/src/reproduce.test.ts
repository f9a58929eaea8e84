import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testsWith } from './baseline.ts';
import { directDeps } from './fixtures/direct-deps.ts';
import { nodeTestCheck, temporaryWorkspace } from './fixtures/temporary-workspace.ts';
import { nodeFlagsOf } from './node-command.ts';
import { readWorkspace } from './read-workspace.ts';
import { type ReproduceOptions, reproduce } from './reproduce.ts';

type Context = Parameters<typeof temporaryWorkspace>[0];

async function reproduceIn(t: Context, files: Record<string, string>, options: ReproduceOptions = {}) {
  const root = await temporaryWorkspace(t, files);
  return await reproduce(directDeps(root), await readWorkspace(root), nodeTestCheck, options);
}

const IMPORTS = `import { test, it, describe, before, beforeEach, afterEach } from 'node:test';\nimport assert from 'node:assert';\n`;

test('N3: failing and passing tests of a rich suite are told apart as node:test does, and coverage is per test', async (t) => {
  const found = await reproduceIn(t, {
    'src/sum.mjs': 'export const sum = (a, b) => a - b;\nexport function twice(x) { return sum(x, -x); }\n',
    'test/sum.test.mjs': `${IMPORTS}import { sum, twice } from '../src/sum.mjs';
let ready = 0;
describe('sums', () => {
  before(() => { ready = 1; });
  beforeEach(() => { ready += 1; });
  afterEach(() => { ready -= 1; });
  it('adds', () => assert.equal(sum(1, 2), 3));
  it('adds zero', async () => { await null; assert.equal(sum(1, 0) + ready, 3); });
  it('calls back', (context, done) => setTimeout(done, 1));
  it('same', () => assert.equal(twice(2), 4));
  it('same', () => assert.equal(twice(2), 5));
  it.skip('later', () => assert.fail());
});
test('outer', async (context) => {
  await context.test('inner', () => assert.ok(ready > 0));
  await context.test('inner wrong', () => assert.equal(sum(2, 2), 4));
});
test('rejects', async () => { await Promise.reject(new Error('no')); });
`,
  });
  assert.ok(found.kind === 'baseline');
  const { baseline } = found;
  const file = 'test/sum.test.mjs';
  assert.deepEqual(testsWith(baseline, 'failed'), [
    `${file} > sums > adds`,
    `${file} > sums > same #2`,
    `${file} > outer > inner wrong`,
    `${file} > rejects`,
  ]);
  assert.deepEqual(testsWith(baseline, 'skipped'), [`${file} > sums > later`]);
  assert.equal(testsWith(baseline, 'passed').length, 4);
  assert.equal(baseline.harness, 'screened');
  const adds = baseline.coverage.find((test) => test.id === `${file} > sums > adds`);
  const same = baseline.coverage.find((test) => test.id === `${file} > sums > same`);
  assert.ok(adds !== undefined && same !== undefined && same.hits.length > adds.hits.length);
  assert.deepEqual(baseline.calls[0], { path: 'src/sum.mjs', name: 'sum', args: [1, 2] });
});

test('N3: tests whose outcome changes are named and set aside', async (t) => {
  const counter = `import { appendFileSync, readFileSync } from 'node:fs';
appendFileSync(process.env.TMPDIR + '/runs', '.');
const run = readFileSync(process.env.TMPDIR + '/runs', 'utf8').length;\n`;
  const folder = await temporaryWorkspace(t, { runs: '' });
  const files = {
    'src/a.mjs': 'export const one = () => 2;\n',
    'test/a.test.mjs': `${IMPORTS}${counter.replaceAll('process.env.TMPDIR', JSON.stringify(folder))}import { one } from '../src/a.mjs';
test('odd', () => assert.ok(run % 2));
test('one', () => assert.equal(one(), 1));
test('two', () => assert.equal(one(), 2));
`,
  };
  const found = await reproduceIn(t, files);
  assert.ok(found.kind === 'baseline');
  assert.deepEqual(testsWith(found.baseline, 'unstable'), ['test/a.test.mjs > odd']);
  assert.deepEqual(testsWith(found.baseline, 'failed'), ['test/a.test.mjs > one']);
  const only = await reproduceIn(t, {
    ...files,
    'src/a.mjs': 'export const one = () => 1;\n',
    'test/a.test.mjs': files['test/a.test.mjs'].replace("test('two', () => assert.equal(one(), 2));", ''),
  });
  assert.ok(only.kind === 'failure');
  assert.equal(only.failure.code, 'tests-unstable');
  assert.match(only.failure.message, /a\.test\.mjs > odd/);
});

test('a suite without failing tests, and one without tests', async (t) => {
  const passing = await reproduceIn(t, { 'a.test.mjs': `${IMPORTS}test('fine', () => {});` });
  assert.deepEqual(passing, { kind: 'none-failing', passing: 1 });
  const none = await reproduceIn(t, { 'src/a.mjs': '' });
  assert.ok(none.kind === 'failure');
  assert.equal(none.failure.code, 'no-tests');
});

test('a suite that never ends is refused as such', async (t) => {
  const files = { 'a.test.mjs': `${IMPORTS}test('quick', () => {});\ntest('endless', () => { for (;;); });` };
  const found = await reproduceIn(t, files, { suiteMilliseconds: 2500 });
  assert.ok(found.kind === 'failure');
  assert.equal(found.failure.code, 'tests-time-out');
});

test('a file that cannot be loaded is a failing test of that name', async (t) => {
  const found = await reproduceIn(t, {
    'a.test.mjs': `import './gone.mjs';`,
    'b.test.mjs': `${IMPORTS}test('fine', () => {});`,
  });
  assert.ok(found.kind === 'baseline');
  assert.deepEqual(testsWith(found.baseline, 'failed'), ['a.test.mjs']);
});

test('a suite that our harness does not understand is run under node:test, one process each', async (t) => {
  const found = await reproduceIn(t, {
    'src/a.mjs': 'export const one = () => 2;\n',
    'a.test.mjs': `${IMPORTS}import { one } from './src/a.mjs';
test('mocks', (context) => { const f = context.mock.fn(() => 1); f(); assert.equal(f.mock.callCount(), 1); });
test('one', () => assert.equal(one(), 1));`,
  });
  assert.ok(found.kind === 'baseline');
  assert.equal(found.baseline.harness, 'isolated');
  assert.deepEqual(testsWith(found.baseline, 'failed'), ['a.test.mjs > one']);
});

const MANY = Array.from({ length: 20 }, (_, at) => `test('fine ${at}', () => assert.ok(true));`).join('\n');

test('a few tests that our harness does not understand are left out of screening', async (t) => {
  const found = await reproduceIn(t, {
    'src/a.mjs': 'export const one = () => 2;\n',
    'a.test.mjs': `${IMPORTS}import { one } from './src/a.mjs';
test('mocks', (context) => { const f = context.mock.fn(() => 1); f(); assert.equal(f.mock.callCount(), 1); });
test('one', () => assert.equal(one(), 1));
${MANY}`,
  });
  assert.ok(found.kind === 'baseline');
  assert.equal(found.baseline.harness, 'screened');
  assert.deepEqual(found.baseline.misjudged, ['a.test.mjs > mocks']);
});

test('nested tests are named as node:test names them: namesakes numbered, groups told by their members', async (t) => {
  const found = await reproduceIn(t, {
    'src/a.mjs': 'export const one = () => 2;\n',
    'a.test.mjs': `${IMPORTS}import { one } from './src/a.mjs';
test('outer', async (context) => {
  await context.test('same', () => assert.ok(true));
  await context.test('same', () => assert.equal(one(), 1));
  await context.test('group', async (inner) => {
    await inner.test('deep', () => assert.ok(true));
    await inner.test('deep wrong', () => assert.equal(one(), 1));
  });
});`,
  });
  assert.ok(found.kind === 'baseline');
  assert.equal(found.baseline.harness, 'screened');
  assert.deepEqual(found.baseline.misjudged, []);
  assert.deepEqual(testsWith(found.baseline, 'failed'), [
    'a.test.mjs > outer > same #2',
    'a.test.mjs > outer > group > deep wrong',
  ]);
});

test('what a loader of the repository sets up is there for screened candidates too', async (t) => {
  const root = await temporaryWorkspace(t, {
    'setup.mjs': 'globalThis.offset = 1;\n',
    'src/a.mjs': 'export const next = (a) => a - globalThis.offset;\n',
    'a.test.mjs': `${IMPORTS}import { next } from './src/a.mjs';\ntest('next', () => assert.equal(next(1), 2));\n`,
  });
  const check = { ...nodeTestCheck, directArgv: ['node', '--import', './setup.mjs', '--test'] };
  const found = await reproduce(directDeps(root), await readWorkspace(root), check);
  assert.ok(found.kind === 'baseline');
  assert.equal(found.baseline.harness, 'screened');
});

test('flags for Node are kept, flags for the test runner are not', () => {
  const directArgv = ['node', '--import', './x.mjs', '--test', '--test-reporter=dot', '--conditions=dev', 'test/*.mjs'];
  assert.deepEqual(nodeFlagsOf({ ...nodeTestCheck, directArgv }), ['--import', './x.mjs', '--conditions=dev']);
  const tsx = ['node', 'node_modules/tsx/dist/cli.mjs', '--test', 'test/*.ts'];
  assert.deepEqual(nodeFlagsOf({ ...nodeTestCheck, directArgv: tsx }), ['--import', 'tsx']);
});
