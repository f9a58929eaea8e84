import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { detectChecks } from '@capstan/checks';
import { readWorkspace } from '@capstan/repair';
import { workspaceReader } from '@capstan/workspace';
import { runsBuiltFiles } from './built-tests.ts';

const source = 'export const one = 1;\n';

async function judge(t: TestContext, script: string, files: Record<string, string>): Promise<boolean> {
  const root = await mkdtemp(join(tmpdir(), 'capstan-built-'));
  t.after(() => rm(root, { recursive: true }));
  const manifest = { name: 'cart', type: 'module', exports: { '.': './dist/cart.js' }, scripts: { test: script } };
  for (const [path, text] of Object.entries({ 'package.json': JSON.stringify(manifest), ...files })) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const reader = workspaceReader(root);
  const check = (await detectChecks(reader)).find(({ kind }) => kind === 'test');
  assert.ok(check !== undefined);
  return runsBuiltFiles(check, await readWorkspace(root), reader);
}

function testOf(path: string): string {
  return `import { test } from 'node:test';\nimport { one } from '${path}';\ntest('one', () => one);\n`;
}

test('N3: tests in a generated folder, and tests that import only built files, are known', async (t) => {
  const files = { 'src/cart.ts': source };
  assert.equal(await judge(t, 'npm run build && node --test dist/', files), true);
  assert.equal(await judge(t, 'tsc && node --test "dist/**/*.test.js"', files), true);
  const build = 'npm run build && node --test';
  assert.equal(await judge(t, build, { ...files, 'test/a.test.js': testOf('../dist/cart.js') }), true);
  assert.equal(await judge(t, build, { ...files, 'test/a.test.js': testOf('cart') }), true);
  const ignored = { ...files, '.gitignore': 'node_modules\n/made/\n', 'test/a.test.js': testOf('../made/cart.js') };
  assert.equal(await judge(t, build, ignored), true);
});

test('N3: a step before the tests, or one test of the bundle among others, is no reason to refuse', async (t) => {
  const direct = { 'src/cart.ts': source, 'test/a.test.js': testOf('../src/cart.js') };
  assert.equal(await judge(t, 'npm run lint && node --test', direct), false);
  assert.equal(await judge(t, 'npm run build && node --test test/', direct), false);
  assert.equal(await judge(t, 'node --test', { ...direct, 'test/b.test.js': testOf('../dist/cart.js') }), false);
});

test('N1: in a package of a monorepo, folders are those of the package', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'capstan-built-'));
  t.after(() => rm(root, { recursive: true }));
  const manifest = JSON.stringify({ name: 'cart', type: 'module', scripts: { test: 'node --test' } });
  const files = {
    'packages/built/package.json': manifest,
    'packages/built/src/cart.js': source,
    'packages/built/test/cart.test.js': testOf('../dist/cart.js'),
    'packages/plain/package.json': manifest,
    'packages/plain/src/cart.js': source,
    'packages/plain/test/cart.test.js': testOf('../src/cart.js'),
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const reader = workspaceReader(root);
  const checks = await detectChecks(reader);
  const modules = await readWorkspace(root);
  const judged = await Promise.all(checks.map((check) => runsBuiltFiles(check, modules, reader)));
  assert.deepEqual(
    checks.map(({ directory }, index) => [directory, judged[index]]),
    [
      ['packages/built', true],
      ['packages/plain', false],
    ],
  );
});
