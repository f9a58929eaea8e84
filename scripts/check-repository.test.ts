import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { checkRepository } from './check-repository.ts';
import { plantTree } from './checks/planted-tree.ts';

function problemsOf(context: TestContext, path: string, text: string): string[] {
  return checkRepository(plantTree(context, { [path]: text }), [path]);
}

const lines = (count: number): string => 'line\n'.repeat(count);

test('ordinary files have no problems', (context) => {
  assert.deepEqual(problemsOf(context, 'src/a.ts', "const path = '/home/user/.ssh';\n"), []);
  assert.deepEqual(problemsOf(context, 'src/b.ts', `const path = '${tmpdir()}/a';\n`), []);
});

test('the folders of the checkout and of its neighbours are found', (context) => {
  const parent = plantTree(context, {});
  const root = join(parent, 'main');
  mkdirSync(root);
  writeFileSync(join(root, 'a.json'), JSON.stringify({ path: `${root}/src` }));
  writeFileSync(join(root, 'b.md'), `\nSee ${parent}/other.\n`);
  assert.deepEqual(checkRepository(root, ['a.json', 'b.md']), [
    `a.json:1: a path of this machine: ${root}`,
    `b.md:2: a path of this machine: ${parent}`,
  ]);
});

test('an overlong file is found, recorded data is not', (context) => {
  assert.deepEqual(problemsOf(context, 'src/a.ts', lines(400)), []);
  assert.deepEqual(problemsOf(context, 'src/a.ts', lines(401)), ['src/a.ts: 401 lines, 400 at most: split it']);
  assert.deepEqual(problemsOf(context, 'ARCHITECTURE.md', lines(301)), [
    'ARCHITECTURE.md: 301 lines, 300 at most: split it',
  ]);
  assert.deepEqual(problemsOf(context, 'src/golden/a.md', lines(401)), []);
});

test('a host in the lock file is found', (context) => {
  const entry = (value: string): string => `{\n  "resolved": "${value}"\n}\n`;
  assert.deepEqual(problemsOf(context, 'package-lock.json', entry('packages/agent')), []);
  const [found] = problemsOf(context, 'package-lock.json', entry('https://npm.example/zod.tgz'));
  assert.match(found ?? '', /^package-lock\.json:2: names the host npm\.example/);
});
