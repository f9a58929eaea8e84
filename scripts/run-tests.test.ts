import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { plantTree } from './checks/planted-tree.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const head = "import { describe, test } from 'node:test';\n";

/** Runs the test runner on a repository that holds only these files. */
function runTests(context: TestContext, files: Record<string, unknown>, args: string[] = [], ci = '') {
  const top = plantTree(context, { 'package.json': { type: 'module' }, 'tests/skips.json': [], ...files });
  mkdirSync(join(top, 'scripts', 'tests'), { recursive: true });
  for (const file of ['run-tests.ts', 'compile-cache.mjs'])
    cpSync(join(root, 'scripts', file), join(top, 'scripts', file));
  for (const file of ['conformance', 'find-test-files', 'node-tests', 'skips', 'summary']) {
    cpSync(join(root, 'scripts', 'tests', `${file}.ts`), join(top, 'scripts', 'tests', `${file}.ts`));
  }
  symlinkSync(join(root, 'node_modules'), join(top, 'node_modules'));
  const { NODE_TEST_CONTEXT: _, ...outer } = process.env;
  const env = { ...outer, CI: ci };
  const { status, stdout } = spawnSync(process.execPath, [join(top, 'scripts', 'run-tests.ts'), ...args], {
    env,
    encoding: 'utf8',
  });
  return { status, stdout, last: stdout.trimEnd().split('\n').at(-1) };
}

test('tests are counted: no suites, no failure twice, a file that crashes or runs none fails', (context) => {
  const { status, stdout, last } = runTests(context, {
    'packages/a/src/a.test.ts': `${head}test('one', () => {});
      describe('suite', () => { test('two', () => {}); test('three', () => { throw new Error('broken'); }); });`,
    'apps/b/crash.test.ts': "throw new Error('at load');",
    'packages/a/empty.test.ts': 'export {};',
    'packages/a/node_modules/x/other.test.ts': "throw new Error('not ours');",
  });
  assert.equal(last, '2 passed, 3 failed');
  assert.equal(status, 1);
  assert.match(stdout, /FAILED packages\/a\/src\/a\.test\.ts#suite > three\nError: broken/);
  assert.match(stdout, /FAILED apps\/b\/crash\.test\.ts\n[\s\S]*at load/);
  assert.match(stdout, /FAILED packages\/a\/empty\.test\.ts\nThe file ran no test\./);
});

const skipping = { 'packages/a/a.test.ts': `${head}test('one', () => {});\ntest('two', (t) => t.skip('needs luck'));` };
const listed = [{ test: 'packages/a/a.test.ts#two', when: 'always', reason: 'luck is rare' }];

test('a skip that is not listed is loud, and a failure where CI is set', (context) => {
  const loud = runTests(context, skipping);
  assert.deepEqual([loud.status, loud.last], [0, '1 passed, 0 failed, 1 skipped']);
  assert.match(
    loud.stdout,
    /SKIPPED packages\/a\/a\.test\.ts#two\nneeds luck \(tests\/skips\.json does not allow this here\)/,
  );
  const strict = runTests(context, skipping, [], 'true');
  assert.deepEqual([strict.status, strict.last], [1, '1 passed, 0 failed, 1 skipped']);
});

test('a listed skip is fine', (context) => {
  const { status, last } = runTests(context, { ...skipping, 'tests/skips.json': listed }, [], 'true');
  assert.deepEqual([status, last], [0, '1 passed, 0 failed, 1 skipped']);
});

test('filters choose files, and no test at all is a failure', (context) => {
  const files = { 'packages/a/a.test.ts': `${head}test('one', () => {});`, 'packages/b/b.test.ts': 'broken(' };
  const chosen = runTests(context, files, ['packages/a']);
  assert.deepEqual([chosen.status, chosen.last], [0, '1 passed, 0 failed']);
  const none = runTests(context, files, ['packages/c']);
  assert.deepEqual([none.status, none.last], [1, '0 passed, 0 failed']);
});
