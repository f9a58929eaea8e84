import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { folderOfImport, ownPackages } from './own-packages.ts';
import { readWorkspace } from './read-workspace.ts';

async function workspace(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'capstan-modules-'));
  t.after(() => rm(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

const shop = {
  'package.json': '{ "name": "shop" }',
  'packages/app/package.json': '{ "name": "@shop/app" }',
  'packages/app/test/app.test.js': "import { total } from '../index.js';\nimport 'left-pad';\n",
  'packages/app/index.js': "export { total } from '@shop/cart/total';\n",
  'packages/cart/package.json': '{ "name": "@shop/cart" }',
  'packages/cart/src/total.js': 'export const total = 1;\n',
  'packages/names/package.json': '{ "name": "names" }',
  'packages/names/index.js': 'export const names = [];\n',
  'packages/broken/package.json': '{ "name": ',
};

test('N1: in a large monorepo, packages that tests import by name are reached, others are not', async (t) => {
  const many = Object.fromEntries(
    Array.from({ length: 160 }, (_, index) => [`tools/t${index}.js`, `export const t = ${index};\n`]),
  );
  const { sources, tests } = await readWorkspace(await workspace(t, { ...shop, ...many }));
  assert.deepEqual(sources.map(({ path }) => path).sort(), ['packages/app/index.js', 'packages/cart/src/total.js']);
  assert.deepEqual(
    tests.map(({ path }) => path),
    ['packages/app/test/app.test.js'],
  );
});

test('N1: in a repository of thousands of modules, those that tests reach are read, wherever they lie', async (t) => {
  const many = Object.fromEntries(
    Array.from({ length: 2100 }, (_, index) => [`a/m${index}.js`, `export const m = ${index};\n`]),
  );
  const own = {
    'z/sum.js': 'export const sum = 1;\n',
    'z/check.js': "import { test } from 'node:test';\nimport './sum.js';\n",
  };
  const { sources, tests, unread } = await readWorkspace(await workspace(t, { ...many, ...own }));
  const paths = [...sources, ...tests].map(({ path }) => path);
  assert.deepEqual([paths, unread], [['z/sum.js', 'z/check.js'], 0]);
});

test('N1: of modules beyond the limit, the nearest to the tests are read, and the others are counted', async (t) => {
  const indexes = Array.from({ length: 2100 }, (_, index) => index);
  const all = Object.fromEntries(indexes.map((index) => [`a/m${index}.js`, `export const m = ${index};\n`]));
  const first = {
    'b.js': 'export const b = 1;\n',
    'near.js': indexes.map((index) => `import './a/m${index}.js';\n`).join(''),
  };
  const test = { 'b.test.js': "import './near.js';\nimport './b.js';\n" };
  const { sources, unread } = await readWorkspace(await workspace(t, { ...all, ...first, ...test }));
  const paths = new Set(sources.map(({ path }) => path));
  assert.deepEqual([paths.has('b.js'), paths.has('near.js'), sources.length, unread], [true, true, 2000, 102]);
});

test('N1: the packages of a monorepo are known by their names', async (t) => {
  const packages = await ownPackages(await workspace(t, { ...shop, 'node_modules/x/package.json': '{ "name": "x" }' }));
  assert.deepEqual(Object.fromEntries(packages), {
    shop: '',
    '@shop/app': 'packages/app',
    '@shop/cart': 'packages/cart',
    names: 'packages/names',
  });
  assert.equal(folderOfImport('@shop/cart/total.js', packages), 'packages/cart');
  assert.equal(folderOfImport('names', packages), 'packages/names');
  assert.deepEqual(
    [folderOfImport('@shop/other', packages), folderOfImport('namesake', packages)],
    [undefined, undefined],
  );
});
