import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { toolchainFor } from '@capstan/sandbox';
import { type BenchOptions, type ExecBench, openBench } from './testing/exec-client.ts';
import { workingSandboxes } from './testing/working-sandboxes.ts';

const [sandbox = 'none'] = await workingSandboxes();
const searchPath = process.env.PATH ?? '';

async function bench(t: TestContext, options: Omit<BenchOptions, 'sandbox'>): Promise<ExecBench> {
  const opened = await openBench({ sandbox, ...options });
  t.after(() => opened.close());
  return opened;
}

/** Skips, and says why, unless the programs are installed where a sandbox can show them. */
async function needs(t: TestContext, ...programs: string[]): Promise<boolean> {
  const { missing } = await toolchainFor(programs, searchPath);
  if (sandbox === 'none') t.skip('needs a sandbox: neither bubblewrap nor util-linux works on this machine');
  else if (missing.length > 0) t.skip(`needs ${missing.join(', ')}: not found on the PATH`);
  return sandbox !== 'none' && missing.length === 0;
}

const vitestFiles = {
  'package.json': JSON.stringify({ type: 'module', scripts: { test: 'vitest run' } }),
  't/cart.test.ts': `import { describe, expect, test } from 'vitest';
    describe('cart', () => { test('adds', () => expect(1).toBe(1)); test('totals', () => expect(1).toBe(2)); });`,
  'vitest.config.ts': `import { defineConfig } from 'vitest/config';
    const include: string[] = ['t/*.test.ts']; export default defineConfig({ test: { include } });`,
};

test('A4: vitest 4 runs with read-only dependencies and is read test by test', async (t) => {
  if (!(await needs(t, 'node', 'npm'))) return;
  const modules = fileURLToPath(new URL('../../../../node_modules', import.meta.url));
  const before = existsSync(join(modules, '.vite-temp'));
  const opened = await bench(t, {
    files: vitestFiles,
    arguments: () => ['--bind', JSON.stringify([modules, '/workspace/node_modules', 'read'])],
  });
  const { report, output } = await opened.run({ checkId: 'npm:test' });
  const ids = report.tests.map((found) => `${found.status} ${found.id}`);
  assert.deepEqual(ids, ['passed t/cart.test.ts > cart > adds', 'failed t/cart.test.ts > cart > totals'], output.text);
  assert.deepEqual([report.outcome, report.exitCode], ['failed', 1]);
  assert.equal(existsSync(join(modules, '.vite-temp')), before, 'nothing was written into the dependencies');
});

test('T8: a Node that is too old for a glob or for .ts files is named, and nothing else is said of the tests', async (t) => {
  if (!(await needs(t, 'node', 'npm'))) return;
  const searchPath = '/usr/bin:/bin';
  const { stdout } = spawnSync('node', ['--version'], { encoding: 'utf8', env: { PATH: searchPath } });
  const version = stdout?.trim() ?? '';
  if (!/^v(18|20)\./.test(version)) return t.skip(`needs an old Node in /usr/bin: found "${version}"`);
  for (const [glob, need] of [
    ["'test/**/*.test.ts'", 'globs need Node 21 or later; .ts files need Node 22.18 or later'],
    ['test/a.test.ts', '.ts files need Node 22.18 or later'],
  ]) {
    const manifest = JSON.stringify({ type: 'module', scripts: { test: `node --test ${glob}` } });
    const files = { 'package.json': manifest, 'test/a.test.ts': "import 'node:test';\nconst one: number = 1;\n" };
    const opened = await bench(t, { files, searchPath });
    const { failure } = await opened.run({ checkId: 'npm:test' });
    assert.deepEqual([failure?.code, failure?.message], ['no-toolchain', `Node ${version} ran these tests: ${need}.`]);
  }
});

test('A4: tests behind a step that fails before them are read from a second run', async (t) => {
  if (!(await needs(t, 'node', 'npm'))) return;
  const opened = await bench(t, {
    files: {
      'package.json': JSON.stringify({ scripts: { test: 'node lint.mjs && node --test' } }),
      'lint.mjs': 'process.exitCode = 1;\n',
      'a.test.mjs': "import { test } from 'node:test';\ntest('fine', () => {});\n",
    },
  });
  const { report } = await opened.run({ checkId: 'npm:test' });
  assert.deepEqual([report.outcome, report.exitCode], ['failed', 1]);
  assert.deepEqual(
    report.tests.map((found) => `${found.status} ${found.id}`),
    ['passed a.test.mjs > fine'],
  );
});

test('A4: pytest runs and is read test by test', async (t) => {
  if (!(await needs(t, 'python3'))) return;
  if (spawnSync('python3', ['-m', 'pytest', '--version']).status !== 0) return t.skip('needs pytest: not installed');
  const opened = await bench(t, {
    files: {
      'pytest.ini': '[pytest]\n',
      'cart.py': 'def total(prices):\n    return sum(prices[1:])\n',
      'tests/test_cart.py':
        'import sys, os\nsys.path.insert(0, os.getcwd())\nfrom cart import total\n\n' +
        'def test_empty():\n    assert total([]) == 0\n\ndef test_sum():\n    assert total([1, 2]) == 3\n',
    },
  });
  const { report, text } = await opened.run({ checkId: 'pytest' });
  assert.deepEqual([report.outcome, report.passed, report.failed], ['failed', 1, 1], text);
  assert.equal(report.tests[1]?.id, 'tests/test_cart.py > test_sum');
  assert.match(text, /- tests\/test_cart\.py > test_sum\n {4}assert 2 == 3/);
  assert.ok(!existsSync(join(opened.root, 'tests/__pycache__')), 'no byte code in the workspace');
});

test('A4: cargo runs without network and is read test by test', async (t) => {
  if (!(await needs(t, 'cargo', 'rustc', 'cc'))) return;
  const opened = await bench(t, {
    files: {
      'Cargo.toml': '[package]\nname = "cart"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs':
        'pub fn add(a: i32, b: i32) -> i32 { a - b }\n#[cfg(test)]\nmod tests {\n' +
        '    #[test] fn zero() { assert_eq!(super::add(0, 0), 0); }\n    #[test] fn one() { assert_eq!(super::add(1, 1), 2); }\n}\n',
      'tests/whole.rs': '#[test] fn right() { assert_eq!(cart::add(2, 0), 2); }\n',
    },
  });
  const { report, text } = await opened.run({ checkId: 'cargo:test' });
  const ids = report.tests.map((found) => `${found.status} ${found.id}`).toSorted();
  assert.deepEqual(
    ids,
    ['failed src/lib.rs > tests > one', 'passed src/lib.rs > tests > zero', 'passed tests/whole.rs > right'],
    text,
  );
  assert.deepEqual([report.outcome, report.exitCode], ['failed', 101]);
});

test('A4: make is judged by its exit code', async (t) => {
  if (!(await needs(t, 'make'))) return;
  const opened = await bench(t, { files: { Makefile: 'test:\n\t@echo tested\n\t@exit 3\n' } });
  const { report, text } = await opened.run({ checkId: 'make:test' });
  assert.deepEqual([report.outcome, report.exitCode, report.tests], ['failed', 2, []]);
  assert.match(text, /tested/);
});

test('T8: without the toolchain the failure is fatal and names it', async (t) => {
  if (!(await needs(t))) return;
  const empty = join(process.cwd(), 'no-such-folder');
  const opened = await bench(t, { files: { 'go.mod': 'module cart\n' }, searchPath: empty });
  const { failure } = await opened.run({ checkId: 'go:test' });
  assert.deepEqual([failure?.level, failure?.code], ['fatal', 'no-toolchain']);
  assert.match(failure?.message ?? '', /^go:test needs go,/);
});

test('G8: without a sandbox every run is refused, and the checks are still listed', async (t) => {
  const refused = await openBench({ sandbox: 'none', files: { 'package.json': '{"scripts":{"test":"node --test"}}' } });
  t.after(() => refused.close());
  const listed = await refused.client.callTool({ name: 'list_checks', arguments: {} });
  assert.match(JSON.stringify(listed.content), /npm:test \(test, node-test\): npm test\\nThere is no sandbox/);
  for (const dryRun of [false, true]) {
    const { failure } = await refused.run({ checkId: 'npm:test', dryRun });
    assert.deepEqual([failure?.level, failure?.code], ['fatal', 'no-sandbox']);
    assert.match(failure?.hint ?? '', /bubblewrap/);
  }
});

test('T8: wrong options end the server, a bind without a source ends the run, both say why', async (t) => {
  const main = fileURLToPath(new URL('./main.ts', import.meta.url));
  const ended = spawnSync(process.execPath, [main, '--root', '/nowhere'], { encoding: 'utf8' });
  assert.equal(ended.status, 2);
  assert.match(ended.stderr, /--state is missing/);
  if (!(await needs(t, 'node', 'npm'))) return;
  const opened = await bench(t, {
    files: { 'package.json': '{"scripts":{"test":"node --test"}}' },
    arguments: (root) => ['--bind', JSON.stringify([`${root}/absent`, '/workspace/absent', 'read'])],
  });
  const { failure } = await opened.run({ checkId: 'npm:test' });
  assert.deepEqual([failure?.level, failure?.code], ['fatal', 'no-sandbox']);
  assert.match(failure?.message ?? '', /absent/);
  await mkdir(join(opened.root, 'absent'));
  assert.equal((await opened.run({ checkId: 'npm:test' })).failure, undefined);
});

/** The search path without the folders that hold a program. */
function pathWithout(program: string): string {
  return searchPath
    .split(':')
    .filter((folder) => !existsSync(join(folder, program)))
    .join(':');
}

test('A4: without the package manager of the lock file npm runs the script, and says so', async (t) => {
  if (!(await needs(t, 'node', 'npm'))) return;
  const alone = pathWithout('yarn');
  if ((await toolchainFor(['npm', 'node'], alone)).missing.length > 0)
    return t.skip('needs npm in a folder without yarn');
  const files = {
    'package.json': JSON.stringify({ scripts: { test: 'node --test' } }),
    'yarn.lock': '',
    'a.test.mjs': "import { test } from 'node:test';\ntest('fine', () => {});\n",
  };
  const opened = await bench(t, { files, searchPath: alone });
  const { report, text } = await opened.run({ checkId: 'yarn:test' });
  assert.deepEqual([report.outcome, report.passed], ['passed', 1], text);
  assert.match(text, /yarn is not installed: npm test ran instead\./);
  const bound = await bench(t, {
    files: { ...files, 'package.json': JSON.stringify({ scripts: { test: 'yarn jasmine' } }), 'a.test.mjs': '' },
    searchPath: alone,
  });
  const { failure } = await bound.run({ checkId: 'yarn:test' });
  assert.deepEqual([failure?.code, failure?.message], ['no-toolchain', 'yarn:test needs yarn, which was not found.']);
});

test('A4: a script that calls what is not installed ends in a failure that names it', async (t) => {
  if (!(await needs(t, 'node', 'npm'))) return;
  const opened = await bench(t, {
    files: {
      'package.json': JSON.stringify({ scripts: { test: 'no-such-linter . && node --test' } }),
      'a.test.mjs': "import { test } from 'node:test';\ntest('fine', () => {});\n",
    },
  });
  const { failure } = await opened.run({ checkId: 'npm:test' });
  assert.equal(failure?.code, 'no-toolchain');
  assert.equal(failure?.message, 'npm:test calls no-such-linter, which is not installed.');
});
