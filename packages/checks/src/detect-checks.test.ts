import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Check } from '@capstan/contracts';
import fc from 'fast-check';
import { detectChecks } from './detect-checks.ts';
import { fakeReader } from './testing/fake-reader.ts';

const scripts = (test: string, more: Record<string, string> = {}): Record<string, string> => ({
  'package.json': JSON.stringify({ scripts: { test, ...more } }),
});

async function first(files: Record<string, string>): Promise<Check | undefined> {
  return (await detectChecks(fakeReader(files)))[0];
}

const table: readonly (readonly [string, Check['framework'], readonly string[] | undefined])[] = [
  ['node --test', 'node-test', ['node', '--test']],
  ['node --test "test/**/*.test.js"', 'node-test', ['node', '--test', 'test/**/*.test.js']],
  ['node --import ./x.mjs --test --watch a', 'node-test', ['node', '--import', './x.mjs', '--test', 'a']],
  ['c8 --reporter text node --test', 'node-test', ['node', '--test']],
  ['tsx --test test/a.ts', 'node-test', ['node', 'node_modules/tsx/dist/cli.mjs', '--test', 'test/a.ts']],
  ['vitest', 'vitest', ['node', 'node_modules/vitest/vitest.mjs', 'run']],
  ['vitest run --coverage', 'vitest', ['node', 'node_modules/vitest/vitest.mjs', 'run', '--coverage']],
  ['npx --yes vitest watch', 'vitest', ['node', 'node_modules/vitest/vitest.mjs', 'run']],
  ['jest --watch', 'jest', ['node', 'node_modules/jest/bin/jest.js']],
  ['cross-env CI=1 jest -i', 'jest', ['node', 'node_modules/jest/bin/jest.js', '-i']],
  [
    'node --experimental-vm-modules node_modules/.bin/jest',
    'jest',
    ['node', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js'],
  ],
  ['nyc mocha --recursive', 'mocha', ['node', 'node_modules/mocha/bin/mocha.js', '--recursive']],
  ['tsc && mocha', 'mocha', ['node', 'node_modules/mocha/bin/mocha.js']],
  ['react-scripts test', 'other', undefined],
  ['./run-tests.sh', 'other', undefined],
];

for (const [script, framework, direct] of table) {
  test(`A4: the script "${script}" is ${framework}`, async () => {
    const check = await first(scripts(script));
    assert.equal(check?.framework, framework);
    assert.deepEqual(check.directArgv, direct);
    assert.deepEqual(check.argv, ['npm', 'test']);
    assert.deepEqual(Check.parse(check), check);
  });
}

test('flags are appended only where they reach the runner', async () => {
  assert.deepEqual((await first(scripts('tsc && vitest run')))?.appendableArgv, ['npm', 'test', '--']);
  for (const script of [
    'vitest run && tsc',
    'vitest run || true',
    'vitest run > log',
    'npm run unit',
    'jest | tee x',
  ]) {
    const check = await first(scripts(script, { unit: 'vitest run' }));
    assert.notEqual(check?.directArgv, undefined, script);
    assert.equal(check?.appendableArgv, undefined, script);
  }
});

test('variables in front of the runner are kept for the direct run', async () => {
  const check = await first(scripts('cross-env TZ=UTC NODE_OPTIONS="--max-old-space-size=512" node --test'));
  assert.deepEqual(check?.directEnvironment, { TZ: 'UTC', NODE_OPTIONS: '--max-old-space-size=512' });
});

test('a script that calls itself ends in a check without a known runner', async () => {
  assert.equal((await first(scripts('npm run a', { a: 'npm test' })))?.framework, 'other');
});

test('borp runs the files of its patterns: the direct run names the same', async () => {
  const direct = async (script: string) => (await first(scripts(script)))?.directArgv?.slice(2);
  assert.deepEqual(await direct('borp'), ['**/*.test.{js,mjs,cjs,ts,mts,cts}']);
  assert.deepEqual(await direct("borp -c 2 --timeout 5000 -p 'test/*.test.js'"), [
    '--test-timeout=5000',
    'test/*.test.js',
  ]);
  assert.deepEqual(await direct('c8 --100 borp --reporter=tap test/a.js'), ['test/a.js']);
  const files = { 'a.test.js': '', 'test/b.test.mjs': '', 'test/helper.js': '', 'node_modules/c/c.test.js': '' };
  const found = (await first({ ...scripts('standard && borp'), ...files }))?.directArgv;
  assert.deepEqual(found, ['node', '--test', 'a.test.js', 'test/b.test.mjs']);
  const { framework, argv } = (await first(scripts('eslint . && borp && tstyche'))) ?? {};
  assert.deepEqual([framework, argv], ['node-test', ['npm', 'test']]);
});

test('files that an unknown runner is given are those of the direct run', async () => {
  const files = { 'test/a.test.js': "require('node:test')", 'test/helper.js': '' };
  const direct = async (script: string) => (await first({ ...scripts(script), ...files }))?.directArgv;
  assert.deepEqual(await direct('runner --x "test/*.test.js" !test/b.test.js'), ['node', '--test', 'test/a.test.js']);
  assert.deepEqual(await direct('runner test/a.test.js'), ['node', '--test', 'test/a.test.js']);
  assert.deepEqual(await direct('runner'), ['node', '--test']);
});

test('the lock file names the package manager', async () => {
  const pnpm = await first({ ...scripts('vitest'), 'pnpm-lock.yaml': '' });
  assert.deepEqual(
    [pnpm?.argv, pnpm?.appendableArgv],
    [
      ['pnpm', 'test'],
      ['pnpm', 'run', 'test'],
    ],
  );
  const yarn = await first({ ...scripts('vitest'), 'yarn.lock': '' });
  assert.deepEqual([yarn?.id, yarn?.appendableArgv], ['yarn:test', ['yarn', 'test']]);
});

test('build, lint and type checks are found beside the tests and stand behind them', async () => {
  const checks = await detectChecks(
    fakeReader(scripts('jest', { build: 'tsc', lint: 'eslint .', typecheck: 'tsc --noEmit', dev: 'vite' })),
  );
  assert.deepEqual(
    checks.map((check) => [check.id, check.kind]),
    [
      ['npm:test', 'test'],
      ['npm:build', 'build'],
      ['npm:lint', 'lint'],
      ['npm:typecheck', 'lint'],
    ],
  );
});

test('a repository without a test script is told by its dependencies or its test files', async () => {
  const placeholder = { test: 'echo "Error: no test specified" && exit 1' };
  const dependency = { scripts: placeholder, devDependencies: { mocha: '1' } };
  assert.deepEqual((await first({ 'package.json': JSON.stringify(dependency) }))?.argv, [
    'node',
    'node_modules/mocha/bin/mocha.js',
  ]);
  const bare = await first({ 'src/a.js': '', 'src/a.test.mjs': "import { test } from 'node:test';" });
  assert.deepEqual([bare?.argv, bare?.source], [['node', '--test'], 'src/a.test.mjs']);
  assert.equal(await first({ 'src/a.test.js': 'import "vitest"' }), undefined);
});

test('a script that runs one file with node is node:test when that file uses it', async () => {
  const files = { ...scripts('node test/all.js'), 'test/all.js': "const { it } = require('node:test');" };
  assert.deepEqual((await first(files))?.directArgv, ['node', 'test/all.js']);
  assert.equal((await first({ ...files, 'test/all.js': '' }))?.framework, 'other');
});

test('a script of another runner is node:test when the test files use it, whatever else is installed', async () => {
  const manifest = { scripts: { test: 'lint && other-runner --fast' }, devDependencies: { jest: '1' } };
  const files = { 'package.json': JSON.stringify(manifest), 'test/a.test.js': "require('node:test')" };
  const check = await first(files);
  assert.deepEqual(
    [check?.framework, check?.argv, check?.directArgv],
    ['node-test', ['npm', 'test'], ['node', '--test']],
  );
  assert.equal((await first({ ...files, 'test/a.test.js': '' }))?.framework, 'jest');
  const parts = { 'package.json': JSON.stringify({ scripts: { 'test:size': 'size-limit' } }) };
  assert.equal((await first({ ...parts, 'a.test.js': "require('node:test')" }))?.framework, 'other');
});

test('a file that imports tests is found behind a coverage tool and other scripts', async () => {
  const more = { coverage: 'c8 --100 --reporter lcov npm run api', api: 'node --conditions development test/index.js' };
  const files = {
    ...scripts('npm run coverage', more),
    'test/index.js': "import './more/a.js'",
    'test/more/a.js': "import test from 'node:test'",
  };
  assert.deepEqual((await first(files))?.directArgv, ['node', '--conditions', 'development', 'test/index.js']);
  assert.equal((await first(scripts('c8 report')))?.framework, 'other');
});

test('pytest, cargo, go and make are found by their files', async () => {
  const ids = async (files: Record<string, string>): Promise<string[]> =>
    (await detectChecks(fakeReader(files))).map((check) => check.id);
  assert.deepEqual(await ids({ 'pyproject.toml': '[tool.pytest.ini_options]\n' }), ['pytest']);
  assert.deepEqual(await ids({ 'pyproject.toml': '[project]\n' }), []);
  assert.deepEqual(await ids({ 'tests/unit/test_a.py': '' }), ['pytest']);
  assert.deepEqual(await ids({ 'test/a.js': '' }), []);
  assert.deepEqual(await ids({ 'Cargo.toml': '', 'go.mod': '' }), ['cargo:test', 'go:test']);
  assert.deepEqual(await ids({ Makefile: 'all:\n\ttrue\ntest: all\n\t./t\n' }), ['make:test']);
  assert.deepEqual(await ids({ Makefile: 'check:\n\t./t\n' }), ['make:check']);
  assert.deepEqual(await ids({ Makefile: 'test := 1\n' }), []);
  assert.deepEqual(await ids({ Makefile: 'test:\n\tcargo test\n', 'Cargo.toml': '' }), ['cargo:test']);
});

test('detection never throws, whatever the manifest holds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), fc.string(), async (json, script) => {
      await detectChecks(fakeReader({ 'package.json': json }));
      const check = await first(scripts(script));
      assert.ok(check === undefined || Check.safeParse(check).success);
    }),
  );
  assert.deepEqual(await detectChecks(fakeReader({ 'package.json': '{ "scripts": ' })), []);
  assert.deepEqual(await detectChecks(fakeReader({ 'package.json': '{"scripts":{"test":7}}' })), []);
});
