import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayLoseTests } from './may-lose-tests.ts';

const may = [
  'Remove the dark mode',
  'Please rename parseDate to parseIso',
  'Fix the bug in sum and delete the old parser',
  'Make the failing tests pass, and delete the obsolete tests',
  'Convert the tests to TypeScript',
  'You should rewrite src/range.ts',
  '删除深色模式',
  '把 parseDate 重命名为 parseIso',
  '修复失败的测试，并删除过时的测试',
];
const mayNot = [
  'Make the failing tests pass',
  'Make the failing tests pass. Replace the wrong operator.',
  'Add a dark mode',
  'Add a delete button',
  'Do not remove tests',
  "Add a dark mode, but don't move or rename files",
  'Make the failing tests pass without deleting tests',
  'Remove the bug in sum',
  '修复失败的测试',
  '添加一个删除按钮',
  '添加深色模式，不要删除测试',
  '修复失败的测试，不要重写用例',
];

for (const text of may) test(`A4: tests may be gone after "${text}"`, () => assert.ok(mayLoseTests(text)));
for (const text of mayNot) test(`A4: no test may be gone after "${text}"`, () => assert.ok(!mayLoseTests(text)));
