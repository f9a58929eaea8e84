import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chooseIgnored } from './choose-ignored.ts';

const paths = (...ignored: string[]): string[] => chooseIgnored(ignored).map(({ kind, path }) => `${kind} ${path}`);

test('A6: what was installed or built is chosen, at any depth', () => {
  assert.deepEqual(
    paths('node_modules/', 'packages/a/node_modules/', 'packages/a/dist/', '.venv/', 'crates/x/target/'),
    [
      'installed .venv',
      'built crates/x/target',
      'installed node_modules',
      'built packages/a/dist',
      'installed packages/a/node_modules',
    ],
  );
});

test('A6: yarn without node_modules', () => {
  assert.deepEqual(paths('.pnp.cjs', '.yarn/cache/', '.yarn/unplugged/', '.yarn/install-state.gz'), [
    'installed .pnp.cjs',
    'installed .yarn/cache',
    'installed .yarn/unplugged',
  ]);
  assert.deepEqual(paths('cache/', 'a/unplugged/'), []);
});

test('T3: caches, logs, settings and secrets are left out', () => {
  const left = [
    '.env',
    '.env.local',
    'coverage/',
    '.cache/',
    '.pytest_cache/',
    '.tox/',
    '.gradle/',
    'secrets/',
    'a.log',
  ];
  assert.deepEqual(paths(...left, 'node_modules', 'dist', 'config/local.json', '__pycache__/'), []);
});

test('A6: never more than a hundred, those nearest to the top first', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}(\/[a-z]{1,3}){0,3}$/), { maxLength: 300 }), (folders) => {
      const ignored = folders.map((folder) => `${folder}/node_modules/`);
      const chosen = chooseIgnored(ignored);
      assert.equal(chosen.length, Math.min(100, ignored.length));
      const depths = (entries: readonly string[]) =>
        entries.map((path) => path.split('/').length).sort((a, b) => a - b);
      const nearest = depths(ignored.map((path) => path.slice(0, -1))).slice(0, 100);
      assert.deepEqual(depths(chosen.map(({ path }) => path)), nearest);
    }),
    { numRuns: 50 },
  );
});
