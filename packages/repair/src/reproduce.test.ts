import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SandboxRunner } from '@capstan/contracts';
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

test('a suite for which there is too little time is refused as such, and no test is called unstable', async (t) => {
  const slow = `await new Promise((resolve) => setTimeout(resolve, 3000));`;
  const files = { 'a.test.mjs': `${IMPORTS}test('slow', async () => { ${slow} assert.equal(1, 2); });` };
  const found = await reproduceIn(t, files, { milliseconds: 6000 });
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

test('N3: what one test file leaves in a module or in the process is not seen by the next, as under node:test', async (t) => {
  const counter = (name: string): string => `${IMPORTS}import { count, next, one } from '../src/a.mjs';
test('${name} starts afresh', () => { assert.equal(count(), 0); next(); });
test('${name} one', () => assert.equal(one(), 1));`;
  const files = {
    'src/a.mjs':
      'let n = 0;\nexport const count = () => n;\nexport const next = () => { n += 1; };\nexport const one = () => 2;\n',
    'test/a.test.mjs': counter('a'),
    'test/b.test.mjs': counter('b'),
    'old/c.cjs': 'let n = 0;\nexports.next = () => { n += 1; return n; };\n',
    'test/c.test.cjs': `const { test } = require('node:test');\nconst c = require('../old/c.cjs');\ntest('c', () => require('node:assert').equal(c.next(), 1));\n`,
    'test/d.test.cjs': `const { test } = require('node:test');\nconst c = require('../old/c.cjs');\ntest('d', () => require('node:assert').equal(c.next(), 1));\n`,
  };
  const found = await reproduceIn(t, files);
  assert.ok(found.kind === 'baseline');
  assert.deepEqual(testsWith(found.baseline, 'failed'), ['test/a.test.mjs > a one', 'test/b.test.mjs > b one']);
  assert.deepEqual([found.baseline.harness, found.baseline.misjudged], ['screened', []]);
});

test('where files spoil each other in our harness, what node:test says of each by itself counts', async (t) => {
  const spoilt = (name: string): string => `${IMPORTS}import { one } from '../src/a.mjs';
globalThis.seen = (globalThis.seen ?? 0) + 1;
test('${name} is alone', () => assert.equal(globalThis.seen, 1));
test('${name} one', () => assert.equal(one(), 1));`;
  const found = await reproduceIn(t, {
    'src/a.mjs': 'export const one = () => 2;\nexport const two = () => 2;\n',
    'test/a.test.mjs': spoilt('a'),
    'test/b.test.mjs': spoilt('b'),
  });
  assert.ok(found.kind === 'baseline');
  const { baseline } = found;
  assert.deepEqual(testsWith(baseline, 'failed'), ['test/a.test.mjs > a one', 'test/b.test.mjs > b one']);
  assert.equal(testsWith(baseline, 'passed').length, 2);
  assert.equal(baseline.harness, 'isolated');
  // What the tests reach comes from the same isolated runs.
  const reached = baseline.coverage.find(({ id }) => id === 'test/b.test.mjs > b one');
  assert.ok(reached?.failed === true && reached.hits.length > 0);
});

test('what a suite writes to a small file which is there already stays in the copies', async (t) => {
  const root = await temporaryWorkspace(t, {
    'runs.log': 'run\n',
    'src/a.mjs': 'export const one = () => 2;\n',
    'test/a.test.mjs': `${IMPORTS}import { appendFileSync } from 'node:fs';
import { one } from '../src/a.mjs';
appendFileSync('runs.log', 'run\\n');
test('one', () => assert.equal(one(), 1));`,
  });
  const found = await reproduce(directDeps(root), await readWorkspace(root), nodeTestCheck);
  assert.ok(found.kind === 'baseline');
  assert.equal(found.baseline.harness, 'screened');
  assert.equal(await readFile(join(root, 'runs.log'), 'utf8'), 'run\n');
});

test('tests that a helper defines belong to the file that was started', async (t) => {
  const found = await reproduceIn(t, {
    'src/a.mjs': 'export const one = () => 2;\n',
    'test/helper.mjs': `${IMPORTS}import { one } from '../src/a.mjs';
export const check = (expected) => test('one', () => assert.equal(one(), expected));\n`,
    'test/a.test.mjs': `import { check } from './helper.mjs';\ncheck(1);\n`,
    'test/b.test.mjs': `import { check } from './helper.mjs';\ncheck(2);\n`,
  });
  assert.ok(found.kind === 'baseline');
  assert.deepEqual(testsWith(found.baseline, 'failed'), ['test/a.test.mjs > one']);
  assert.ok(testsWith(found.baseline, 'passed').includes('test/b.test.mjs > one'));
  assert.equal(found.baseline.harness, 'screened');
});

test('a test that passes with its file alone and fails with the whole suite is set aside', async (t) => {
  const root = await temporaryWorkspace(t, {
    'src/a.mjs': 'export const one = () => 2;\n',
    'all.mjs': `import './part.mjs';\nglobalThis.whole = true;\n`,
    'part.mjs': `${IMPORTS}import { one } from './src/a.mjs';
test('one', () => assert.equal(one(), 1));
test('depends', () => assert.ok(!process.execArgv.includes('--import')));\n`,
  });
  const check = { ...nodeTestCheck, directArgv: ['node', 'all.mjs'] };
  const found = await reproduce(directDeps(root), await readWorkspace(root), check);
  assert.ok(found.kind === 'baseline');
  assert.deepEqual(testsWith(found.baseline, 'failed'), ['all.mjs > one']);
  assert.deepEqual(testsWith(found.baseline, 'unstable'), ['all.mjs > depends']);
});

test('a suite on which our harness waits much longer than its runner is not screened in it', async (t) => {
  // Under node:test the event loop runs empty at once; ours is kept alive and would wait for ever.
  const root = await temporaryWorkspace(t, {
    'src/a.mjs': 'export const one = () => 2;\n',
    'a.test.mjs': `${IMPORTS}import { one } from './src/a.mjs';
if (process.execArgv.every((word) => !word.includes('guard')) && !process.env.NODE_TEST_CONTEXT) await new Promise(() => {});
test('one', () => assert.equal(one(), 1));`,
  });
  const modules = await readWorkspace(root);
  const found = await reproduce(directDeps(root), modules, nodeTestCheck, { patienceMilliseconds: 100 });
  assert.ok(found.kind === 'baseline');
  assert.equal(found.baseline.harness, 'isolated');
  assert.deepEqual(testsWith(found.baseline, 'failed'), ['a.test.mjs > one']);
  assert.ok(found.baseline.coverage.some(({ failed, hits }) => failed && hits.length > 0));
});

test('A4: a Node that is too old for the suite is named instead of a suite without tests', async (t) => {
  const root = await temporaryWorkspace(t, { 'a.test.mjs': '' });
  const deps = directDeps(root);
  const line = { kind: 'suite', tests: [], entries: [], timedOut: false, exitCode: 1, node: 'v20.20.2' };
  const errors = `Could not find '/workspace/test/**/*.test.js'`;
  const runner: SandboxRunner = {
    kind: 'none',
    run: async ({ onOutput }) => {
      onOutput?.('stdout', Buffer.from(`${JSON.stringify({ ...line, errors })}\n`));
      const none = new Uint8Array();
      return {
        exitCode: 0,
        signal: null,
        stdout: none,
        stderr: none,
        dropped: 0,
        durationMs: 1,
        ended: 'exit',
        containment: 'none',
      };
    },
  };
  const found = await reproduce({ ...deps, runner }, await readWorkspace(root), nodeTestCheck);
  assert.ok(found.kind === 'failure');
  assert.deepEqual([found.failure.code, found.failure.level], ['no-toolchain', 'fatal']);
  assert.equal(found.failure.message, 'Node v20.20.2 ran these tests: globs need Node 21 or later.');
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
