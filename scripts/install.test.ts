import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { plantTree } from './checks/planted-tree.ts';
import { isInstalled } from './install.mjs';

const lock = {
  packages: {
    '': {},
    'packages/own': { version: '0.1.0' },
    'node_modules/own': { resolved: 'packages/own', link: true },
    'node_modules/zod': { version: '4.0.0', integrity: 'sha512-zod' },
    'node_modules/node-linux-other': { version: '24.0.0', integrity: 'sha512-node', optional: true },
  },
};
const { 'node_modules/zod': zod, 'node_modules/own': own } = lock.packages;

/** Stands for npm: notes its arguments and installs, or fails. */
const npm = `
const fs = require('node:fs');
fs.appendFileSync('calls', JSON.stringify(process.argv.slice(2)) + '\\n');
if (process.env.NPM_FAILS) process.exit(9);
fs.rmSync('node_modules', { recursive: true, force: true });
fs.mkdirSync('node_modules');
console.log('added');
`;

function install(root: string, environment: Record<string, string> = {}) {
  const script = `import { ensureInstalled } from '${new URL('install.mjs', import.meta.url).href}';
    console.log(JSON.stringify(await ensureInstalled(${JSON.stringify(root)}) ?? null));`;
  const env = { PATH: process.env.PATH, HOME: root, npm_execpath: join(root, 'npm-cli.js'), ...environment };
  const result = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { env, encoding: 'utf8' });
  return { problem: JSON.parse(result.stdout), stderr: result.stderr };
}

function plant(context: TestContext): string {
  return plantTree(context, { 'package-lock.json': lock, 'npm-cli.js': npm });
}

function calls(root: string): string[][] {
  const text = existsSync(join(root, 'calls')) ? readFileSync(join(root, 'calls'), 'utf8') : '';
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

test('dependencies are installed once, without scripts, and again when the lock file changes', (context) => {
  const root = plant(context);
  assert.equal(install(root).problem, null);
  assert.equal(install(root).problem, null);
  assert.equal(calls(root).length, 1);
  assert.deepEqual(calls(root)[0]?.slice(0, 2), ['ci', '--ignore-scripts']);
  assert.equal(isInstalled(root), true);
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: { 'node_modules/new': {} } }));
  assert.equal(isInstalled(root), false);
  assert.equal(install(root).problem, null);
  assert.equal(calls(root).length, 2);
});

test('all output of the installation goes to standard error', (context) => {
  const { problem, stderr } = install(plant(context));
  assert.equal(problem, null);
  assert.match(stderr, /npm ci[\s\S]*added/);
});

test('a failed installation says so and is tried again', (context) => {
  const root = plant(context);
  assert.match(install(root, { NPM_FAILS: '1' }).problem, /npm ci failed \(exit code 9\)/);
  assert.equal(existsSync(join(root, '.capstan-install.lock')), false);
  assert.equal(isInstalled(root), false);
  assert.equal(install(root).problem, null);
});

test('without a home, the cache of npm is a folder that is removed again', (context) => {
  const root = plant(context);
  assert.equal(install(root, { HOME: join(root, 'npm-cli.js') }).problem, null);
  const cache = calls(root)[0]?.at(-1) ?? '';
  assert.match(cache, /capstan-npm-/);
  assert.equal(existsSync(cache), false);
});

test('what somebody installed by hand counts when it matches the lock file', (context) => {
  const withInstalled = (packages: Record<string, unknown>): string =>
    plantTree(context, { 'package-lock.json': lock, 'node_modules/.package-lock.json': { packages } });
  assert.equal(isInstalled(withInstalled({ 'node_modules/zod': zod, 'node_modules/own': own })), true);
  assert.equal(
    isInstalled(withInstalled({ 'node_modules/zod': { ...zod, version: '3.0.0' }, 'node_modules/own': own })),
    false,
  );
  assert.equal(isInstalled(withInstalled({ 'node_modules/own': own })), false);
  assert.equal(isInstalled(plant(context)), false);
});
