import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Check } from '@capstan/contracts';
import fc from 'fast-check';
import { detectChecks } from './detect-checks.ts';
import { fakeReader } from './testing/fake-reader.ts';

type Files = Readonly<Record<string, string>>;

const manifest = (name: string, script?: string, more: object = {}): string =>
  JSON.stringify({ name, ...(script === undefined ? {} : { scripts: { test: script } }), ...more });
const nodeTest = "import { test } from 'node:test';";
const workspaces = { workspaces: ['packages/*'] };

/** Each test check as "id", with "< root id" where the root runs it too. */
async function found(files: Files): Promise<string[]> {
  const checks = await detectChecks(fakeReader(files));
  for (const check of checks) assert.deepEqual(Check.parse(check), check);
  return checks
    .filter(({ kind }) => kind === 'test')
    .map(({ id, coveredBy }) => (coveredBy === undefined ? id : `${id} < ${coveredBy}`));
}

const table: readonly (readonly [string, Files, readonly string[]])[] = [
  [
    'npm workspaces whose root runs all',
    {
      'package.json': manifest('root', 'npm test --workspaces', workspaces),
      'packages/a/package.json': manifest('@x/a', 'node --test'),
      'packages/b/package.json': manifest('@x/b', 'vitest run'),
    },
    ['npm:test', 'npm:test@packages/a < npm:test', 'npm:test@packages/b < npm:test'],
  ],
  [
    'workspaces without a test script in the root',
    {
      'package.json': manifest('root', undefined, workspaces),
      'packages/a/package.json': manifest('@x/a', 'node --test'),
      'packages/a/a.test.js': nodeTest,
      'packages/b/package.json': manifest('@x/b', 'jest'),
    },
    ['npm:test@packages/a', 'npm:test@packages/b'],
  ],
  [
    'a root script that runs one package only',
    {
      'package.json': manifest('root', 'node --test packages/a/test/', workspaces),
      'packages/a/package.json': manifest('a', 'node --test'),
      'packages/b/package.json': manifest('b', 'node --test'),
    },
    ['npm:test', 'npm:test@packages/a < npm:test', 'npm:test@packages/b'],
  ],
  [
    'a root script with a wildcard over all packages',
    {
      'package.json': manifest('root', 'node --test "packages/*/test/**/*.test.js"', workspaces),
      'packages/a/package.json': manifest('a', 'node --test'),
    },
    ['npm:test', 'npm:test@packages/a < npm:test'],
  ],
  [
    'pnpm: the lock file of the root counts for its packages',
    {
      'package.json': manifest('root'),
      'pnpm-lock.yaml': '',
      'pnpm-workspace.yaml':
        "packages:\n  # all\n  - 'apps/*'\n  - \"examples/*\"\n  - '!**/old'\nother:\n  - tests/*\n",
      'apps/web/package.json': manifest('web', 'vitest'),
      'examples/one/package.json': manifest('one', 'vitest'),
    },
    ['pnpm:test@apps/web', 'pnpm:test@examples/one'],
  ],
  [
    'packages without workspaces, one with a lock file of its own',
    {
      'client/package.json': manifest('client', 'jest'),
      'server/package.json': manifest('server', 'mocha'),
      'server/yarn.lock': '',
    },
    ['npm:test@client', 'yarn:test@server'],
  ],
  [
    'Python packages in folders',
    {
      'services/api/pyproject.toml': '[tool.pytest.ini_options]\n',
      'services/worker/setup.py': '',
      'services/worker/tests/test_a.py': '',
      'services/none/setup.py': '',
    },
    ['pytest@services/api', 'pytest@services/worker'],
  ],
  [
    'pytest in the root collects from all folders',
    { 'pytest.ini': '', 'services/api/setup.py': '', 'services/api/tests/test_a.py': '' },
    ['pytest', 'pytest@services/api < pytest'],
  ],
  [
    'a cargo workspace',
    { 'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n', 'crates/a/Cargo.toml': '[package]\n' },
    ['cargo:test', 'cargo:test@crates/a < cargo:test'],
  ],
  [
    'crates side by side',
    { 'Cargo.toml': '[package]\n', 'crates/a/Cargo.toml': '[package]\n' },
    ['cargo:test', 'cargo:test@crates/a'],
  ],
  ['Go modules', { 'go.mod': '', 'tools/go.mod': '' }, ['go:test', 'go:test@tools']],
  [
    'several languages',
    {
      'package.json': manifest('root', 'vitest', workspaces),
      'packages/ui/package.json': manifest('ui', 'vitest'),
      'native/Cargo.toml': '[package]\n',
      'scripts/pytest.ini': '',
    },
    ['npm:test', 'cargo:test@native', 'pytest@scripts', 'npm:test@packages/ui < npm:test'],
  ],
  [
    'dependencies, products, examples and test data are no packages',
    {
      'package.json': manifest('root', 'node --test'),
      'node_modules/x/package.json': manifest('x', 'jest'),
      'vendor/y/package.json': manifest('y', 'jest'),
      'dist/package.json': manifest('d', 'jest'),
      'examples/z/package.json': manifest('z', 'jest'),
      'test/fixtures/app/package.json': manifest('app', 'jest'),
    },
    ['npm:test'],
  ],
  [
    'tests of the root that no script names stay, beside a package that has a script',
    { 'a.test.js': nodeTest, 'tools/t/package.json': manifest('t', 'jest') },
    ['node:test', 'npm:test@tools/t < node:test'],
  ],
  [
    'packages without scripts are left to the root',
    {
      'package.json': manifest('root', 'node scripts/all.js', workspaces),
      'packages/a/package.json': manifest('a'),
      'packages/a/src/a.test.js': nodeTest,
    },
    ['npm:test'],
  ],
];

for (const [name, files, expected] of table) {
  test(`A4: ${name}`, async () => assert.deepEqual(await found(files), expected));
}

test('A4: a check of a package says where it runs, whose it is, and finds what npm put into the root', async () => {
  const checks = await detectChecks(
    fakeReader({
      'package.json': manifest('root', undefined, workspaces),
      'packages/a/package.json': JSON.stringify({ name: '@x/a', scripts: { test: 'vitest run', build: 'tsc' } }),
    }),
  );
  assert.deepEqual(checks[0], {
    id: 'npm:test@packages/a',
    kind: 'test',
    framework: 'vitest',
    argv: ['npm', 'test'],
    directArgv: ['node', '../../node_modules/vitest/vitest.mjs', 'run'],
    appendableArgv: ['npm', 'test', '--'],
    directory: 'packages/a',
    package: '@x/a',
    source: 'packages/a/package.json scripts.test',
  });
  assert.equal(checks[1]?.id, 'npm:build@packages/a');
});

test('A4: ids are stable and distinct, and fifty packages are the most', async () => {
  const folder = fc.stringMatching(/^[a-d]{1,2}(\/[a-d]{1,2}){0,5}$/);
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(folder, { maxLength: 120 }), fc.boolean(), async (folders, hasRoot) => {
      const packages = folders.map((name): [string, string] => [`${name}/package.json`, manifest(name, 'node --test')]);
      const rootFile: [string, string][] = hasRoot ? [['package.json', manifest('root', 'jest')]] : [];
      const files = Object.fromEntries([...packages, ...rootFile]);
      const ids = (await detectChecks(fakeReader(files))).map(({ id }) => id);
      const shuffled = Object.fromEntries(Object.entries(files).reverse());
      assert.deepEqual(
        (await detectChecks(fakeReader(shuffled))).map(({ id }) => id),
        ids,
      );
      assert.equal(new Set(ids).size, ids.length);
      assert.ok(ids.length <= 51);
      const near = folders.filter((name) => name.split('/').length <= 4).length;
      assert.equal(ids.length, Math.min(50, near) + Number(hasRoot));
    }),
    { numRuns: 40 },
  );
});
