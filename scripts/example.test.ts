import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { plantTree } from './checks/planted-tree.ts';

const example = fileURLToPath(new URL('../examples/room-book', import.meta.url));

function copyExample(context: TestContext): string {
  const copy = plantTree(context, {});
  cpSync(example, copy, { recursive: true });
  return copy;
}

function edit(copy: string, file: string, before: string, after: string): void {
  const text = readFileSync(join(copy, file), 'utf8');
  assert.equal(text.split(before).length, 2, `${file} holds the bug once`);
  writeFileSync(join(copy, file), text.replace(before, after));
}

function testExample(copy: string): { passed: number; failed: number } {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = ['--test', '--test-reporter=tap'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: copy, env, encoding: 'utf8' });
  const count = (word: string): number => Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(stdout)?.[1]);
  return { passed: count('pass'), failed: count('fail') };
}

test('the example has two bugs that four tests show, in two files, each fixed by one line', (context) => {
  const copy = copyExample(context);
  assert.deepEqual(testExample(copy), { passed: 24, failed: 4 });
  edit(copy, 'src/interval.js', 'first.start <= second.end', 'first.start < second.end');
  assert.deepEqual(testExample(copy), { passed: 26, failed: 2 });
  edit(copy, 'src/free-slots.js', 'Math.max(cursor, start)', 'Math.max(cursor, end)');
  assert.deepEqual(testExample(copy), { passed: 28, failed: 0 });
});
