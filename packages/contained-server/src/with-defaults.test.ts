import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preflight } from '@capstan/sandbox';
import { withDefaults } from './with-defaults.ts';

test('G8: what is given stays as it is', async () => {
  const argv = ['--root=/r', '--sandbox=none', '--search-path=/usr/bin'];
  assert.deepEqual(await withDefaults(argv, { PATH: '/elsewhere' }), argv);
});

test('G8: left open, code runs in the sandbox that works here, and toolchains are looked for on the PATH', async () => {
  const searchPath = process.env.PATH ?? '';
  const { kind } = await preflight({ searchPath, node: process.execPath });
  const completed = ['--root=/r', `--sandbox=${kind}`, `--search-path=${searchPath}`];
  assert.deepEqual(await withDefaults(['--root=/r'], { PATH: searchPath }), completed);
  assert.deepEqual(await withDefaults(['--root=/r', '--sandbox=auto'], { PATH: searchPath }), completed);
  assert.match((await withDefaults(['--sandbox=none'], {})).join(), /--search-path=\/usr\/local\/bin:/);
});
