import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { checkUnused } from './check-unused.ts';
import { plantTree } from './checks/planted-tree.ts';

const configuration = readFileSync(new URL('../knip.ts', import.meta.url), 'utf8');

/** A repository of one package, under the configuration of this one: hints about what it lacks do not matter here. */
function problemsOf(context: TestContext, files: Readonly<Record<string, unknown>>): string {
  const root = plantTree(context, {
    'package.json': { name: 'planted', type: 'module', workspaces: ['packages/*'] },
    'knip.ts': configuration,
    'packages/one/package.json': { name: '@capstan/one', type: 'module', exports: './src/index.ts' },
    'packages/one/src/index.ts': "export { used } from './used.ts';\n",
    'packages/one/src/used.ts': 'export const used = 1;\n',
    ...files,
  });
  return checkUnused(root)
    .join('\n')
    .replace(/Configuration hints[\s\S]*?(?=\nUnused|$)/g, '');
}

test('what is used is not found', (context) => {
  assert.doesNotMatch(problemsOf(context, {}), /Unused/);
});

test('a file, an export and a dependency that nobody uses are found', (context) => {
  const found = problemsOf(context, {
    'packages/one/src/dead.ts': 'export const dead = 1;\n',
    'packages/one/src/used.ts': 'export const used = 1;\nexport const spare = 2;\n',
    'packages/one/package.json': {
      name: '@capstan/one',
      type: 'module',
      exports: './src/index.ts',
      dependencies: { zod: '1.0.0' },
    },
  });
  assert.match(found, /Unused files \(1\)\s+packages\/one\/src\/dead\.ts/);
  assert.match(found, /Unused exports \(1\)\s+spare/);
  assert.match(found, /Unused dependencies \(1\)\s+zod/);
});

test('a file that only tests use is found, unless it says so by its folder', (context) => {
  const imports = "import './helper.ts';\nimport './testing/fake.ts';\n";
  const found = problemsOf(context, {
    'packages/one/src/used.test.ts': imports,
    'packages/one/src/helper.ts': 'process.exitCode = 0;\n',
    'packages/one/src/testing/fake.ts': 'process.exitCode = 0;\n',
  });
  assert.match(found, /Unused files \(1\)\s+packages\/one\/src\/helper\.ts/);
  assert.doesNotMatch(found, /fake/);
});
