import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canBeDoneByTests, classifyTask, isAboutFailingTests, isAboutRepair } from './classify-task.ts';

const kinds = {
  change: [
    'make the failing tests pass',
    '修复失败的测试',
    'Fix the off-by-one in src/range.ts',
    'Run the tests and fix what fails',
    'Why does the test fail? Fix it.',
    'The date parser is wrong for leap years',
    '把 parseDate 改成支持闰年',
    'Please rename the option to `limit`',
    '给 README 添加安装说明',
    '修一下测试',
    '把测试修好',
    '测试挂了',
    '运行测试，把挂了的修好',
  ],
  answer: [
    'What does parseDate do?',
    'How do I add a server?',
    'Explain how to fix the flaky test',
    '这个函数是做什么的？',
    '解释一下事件日志的结构',
    'parseDate 支持闰年吗',
    'List the public functions of this package',
  ],
  run: ['Run the tests', 'execute the linter', '运行测试', '请执行构建'],
} as const;

for (const [kind, texts] of Object.entries(kinds)) {
  for (const text of texts) {
    test(`A2: "${text}" is a task of kind ${kind}`, () => assert.equal(classifyTask(text), kind));
  }
}

test('N1: only a task about failing tests is done where none fails', () => {
  const about = [
    'make the failing tests pass',
    '修复失败的测试',
    '让所有测试通过',
    'CI is broken',
    '把测试修好',
    '测试挂了',
  ];
  for (const text of about) {
    assert.ok(isAboutFailingTests(text), text);
  }
  for (const text of ['Add tests for parseDate', 'Fix the typo in README', '添加测试', 'Add a dark mode']) {
    assert.ok(!isAboutFailingTests(text), text);
  }
});

test('N1: repair by tests is asked for by tasks about bugs, not about features', () => {
  for (const text of [
    'Fix the bug in sum',
    '修复缺陷',
    'sum gives wrong results',
    '修一下测试',
    '把测试修好',
    '测试挂了',
  ])
    assert.ok(isAboutRepair(text), text);
  for (const text of ['Add a dark mode', '添加深色模式', 'Improve the speed']) assert.ok(!isAboutRepair(text), text);
});

test('N1: what tests cannot guide is not for repair by tests', () => {
  const can = [
    'make the failing tests pass',
    'Fix the bug in sum',
    'Run the tests and fix what fails',
    'Fix the failing tests of the docs parser',
    '修复失败的测试',
    '修一下测试',
    '测试挂了',
  ];
  const cannot = [
    'Fix the typo in README',
    'Fix the layout bug',
    '修正文档里的错别字',
    'Fix the bug in sum and add a dark mode',
    'Make the failing tests pass, then write a changelog',
    '修复失败的测试，然后添加深色模式',
    'Add a dark mode',
  ];
  for (const text of can) assert.ok(canBeDoneByTests(text), text);
  for (const text of cannot) assert.ok(!canBeDoneByTests(text), text);
});
