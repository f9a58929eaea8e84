import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { checkRepository } from './check-repository.ts';
import { plantTree } from './checks/planted-tree.ts';

function problemsOf(context: TestContext, path: string, text: string): string[] {
  return checkRepository(plantTree(context, { [path]: text }), [path]);
}

const lines = (count: number): string => 'line\n'.repeat(count);
const home = '/home';

test('ordinary files have no problems', (context) => {
  assert.deepEqual(problemsOf(context, 'src/a.ts', `const path = '${home}/user/.ssh';\n`), []);
  assert.deepEqual(problemsOf(context, 'src/b.ts', "const url = 'https://host/root/file';\n"), []);
});

test('a path of one machine is found', (context) => {
  assert.deepEqual(problemsOf(context, 'notes.md', `See ${home}/ada/notes.\n`), [
    `notes.md:1: a path of one machine: ${home}/ada`,
  ]);
  assert.equal(problemsOf(context, 'a.ts', `\nopen('${'/root'}/.npmrc');\n`).length, 1);
});

test('the folder of the checkout itself is found', (context) => {
  const root = plantTree(context, {});
  writeFileSync(join(root, 'a.json'), JSON.stringify({ path: `${root}/src` }));
  assert.deepEqual(checkRepository(root, ['a.json']), [`a.json:1: a path of one machine: ${root}`]);
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
