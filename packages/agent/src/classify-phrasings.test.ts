import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskKind } from '@capstan/contracts';
import fc from 'fast-check';
import { canBeDoneByTests, classifyTask, isAboutFailingTests, isAboutRepair } from './classify-task.ts';

const repairs = {
  english: [
    'fix the failing tests',
    'make the failing tests pass',
    'make all tests pass again',
    'get the test suite green',
    'turn the red tests green',
    'repair whatever makes the tests fail',
    'resolve the failing unit tests',
    "fix the tests that don't pass",
    'debug and fix the failing spec',
    'make CI pass',
  ],
  chinese: [
    '修复失败的测试',
    '让测试通过',
    '让所有测试都通过',
    '使测试全部通过',
    '把失败的测试修好',
    '把没通过的单元测试修好',
    '修一下挂了的测试',
    '解决测试失败的问题',
    '确保测试全绿',
    '测试跑不过，修一下',
    '修复没能通过的用例',
  ],
  traditional: [
    '修復失敗的測試',
    '讓測試通過',
    '讓所有測試都通過',
    '把失敗的測試修好',
    '解決測試失敗的問題',
    '測試跑不過，修一下',
  ],
} as const;

const others: Readonly<Record<TaskKind, { readonly english: readonly string[]; readonly chinese: readonly string[] }>> =
  {
    answer: {
      english: [
        'explain how the parser works',
        'summarize the architecture',
        'describe what src/range.ts does',
        'list the public functions',
        'show where sessions are stored',
        'tell me why the tests fail',
        'explain how to fix the flaky test',
      ],
      chinese: [
        '解释一下为什么测试失败',
        '说明事件日志的结构',
        '总结一下架构',
        '列出所有公开的函数',
        '介绍一下这个项目',
        '分析测试失败的原因',
        '告诉我如何修复这个测试',
        '解釋一下為什麼測試失敗',
        '說明這個函數的作用',
        '總結一下架構',
      ],
    },
    run: {
      english: ['run the tests', 'execute the linter', 'run the update script', 'start the server', 'rerun the suite'],
      chinese: [
        '运行测试',
        '执行构建',
        '跑一下测试',
        '把测试跑一遍',
        '启动服务器',
        '運行測試',
        '執行構建',
        '跑一下測試',
      ],
    },
    change: {
      english: [
        'add a dark mode',
        'rename the option to limit',
        'implement a cache',
        'write tests for parseDate',
        'remove the flag',
      ],
      chinese: [
        '添加深色模式',
        '给 README 添加安装说明',
        '把 limit 改成 most',
        '实现缓存',
        '删除这个选项',
        '新增一個選項',
        '實現快取',
        '把選項刪掉',
      ],
    },
  };

const courtesies = {
  english: [
    '',
    'please ',
    'Please, ',
    'could you ',
    'Can you please ',
    'would you ',
    "I'd like you to ",
    'Hi, ',
    'help me ',
  ],
  chinese: ['', '请', '请帮我', '麻烦你', '帮忙', '能不能', '可以帮我', '你能', '我想让你', '你好，', '請幫我'],
} as const;

function forms(
  phrases: readonly string[],
  prefixes: readonly string[],
  tails: readonly string[],
): fc.Arbitrary<string> {
  const parts = [fc.constantFrom(...prefixes), fc.constantFrom(...phrases), fc.constantFrom(...tails)] as const;
  const space = fc.constantFrom('', ' ', '\n', '> ');
  return fc.tuple(space, ...parts).map(([before, prefix, phrase, tail]) => `${before}${prefix}${phrase}${tail}`);
}

const englishTails = ['', '.', ' please.', '!', '\n', ' Thanks!'];
const chineseTails = ['', '。', '！', '吧', '，谢谢', '，好吗？', '\n'];

test('N1: asked for in any polite form, in English and in both Chinese scripts, failing tests are for repair', () => {
  const asked = fc.oneof(
    forms(repairs.english, courtesies.english, englishTails),
    forms([...repairs.chinese, ...repairs.traditional], courtesies.chinese, chineseTails),
  );
  fc.assert(
    fc.property(asked, (text) => {
      assert.equal(classifyTask(text), 'change', text);
      assert.ok(isAboutFailingTests(text), text);
      assert.ok(canBeDoneByTests(text), text);
    }),
    { numRuns: 800 },
  );
});

for (const [kind, { english, chinese }] of Object.entries(others)) {
  test(`A2: asked for in any polite form, a task of kind ${kind} is one, and none of them is for repair by tests`, () => {
    const asked = fc.oneof(
      forms(english, courtesies.english, englishTails),
      forms(chinese, courtesies.chinese, chineseTails),
    );
    fc.assert(
      fc.property(asked, (text) => {
        assert.equal(classifyTask(text), kind, text);
        if (kind === 'change') assert.ok(!canBeDoneByTests(text), text);
      }),
      { numRuns: 600 },
    );
  });
}

const refusals = {
  english: [
    'do not fix it',
    "don't fix anything",
    'never change the code',
    'do not try to repair the tests',
    'without fixing anything',
    "Don't modify any file",
  ],
  chinese: [
    '不要修复',
    '别修',
    '不要修改任何文件',
    '不用修复它',
    '先别改代码',
    '无需修复测试',
    '请勿修改',
    '不要尝试修复',
    '不要對代碼做修改',
    '無需修復',
    '別改測試',
    '不需要修复失败的测试',
  ],
} as const;

test('N1: what is not to be done is not asked for: no repair and no change comes of it', () => {
  const refused = fc.oneof(
    forms(refusals.english, ['', 'please '], ['', '.', '!']),
    forms(refusals.chinese, ['', '请'], ['', '。', '！']),
  );
  fc.assert(
    fc.property(refused, (text) => {
      assert.equal(classifyTask(text), 'answer', text);
      assert.ok(!isAboutRepair(text) && !canBeDoneByTests(text), text);
    }),
  );
});

test('N1: a question that forbids the repair stays a question', () => {
  const english = fc
    .tuple(
      fc.constantFrom(...others.answer.english),
      fc.constantFrom(...refusals.english),
      fc.constantFrom(', but ', ', ', '. ', '; '),
    )
    .map(([ask, refusal, link]) => `${ask}${link}${refusal}`);
  const chinese = fc
    .tuple(
      fc.constantFrom(...others.answer.chinese),
      fc.constantFrom(...refusals.chinese),
      fc.constantFrom('，', '。', '，但', '；'),
    )
    .map(([ask, refusal, link]) => `${ask}${link}${refusal}`);
  const reversed = fc
    .tuple(fc.constantFrom(...refusals.chinese), fc.constantFrom(...others.answer.chinese))
    .map(([refusal, ask]) => `${refusal}，${ask}`);
  fc.assert(
    fc.property(fc.oneof(english, chinese, reversed), (text) => {
      assert.equal(classifyTask(text), 'answer', text);
    }),
    { numRuns: 500 },
  );
});

test('N1: a repair that may not touch something is a repair', () => {
  const english = fc
    .tuple(
      fc.constantFrom(...repairs.english),
      fc.constantFrom(', but do not change the tests', ' without changing the API', ". Don't add dependencies."),
    )
    .map((parts) => parts.join(''));
  const chinese = fc
    .tuple(
      fc.constantFrom(...repairs.chinese, ...repairs.traditional),
      fc.constantFrom('，不要修改测试', '，别改接口', '，但不要添加依赖。', '，不要修改測試'),
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(english, chinese), (text) => {
      assert.equal(classifyTask(text), 'change', text);
      assert.ok(isAboutFailingTests(text) && canBeDoneByTests(text), text);
    }),
  );
  for (const text of ['在不要修改接口的前提下修复失败的测试', '特别修复失败的测试', '分别修复失败的测试']) {
    assert.equal(classifyTask(text), 'change', text);
    assert.ok(canBeDoneByTests(text), text);
  }
});

test('A2: several wishes in one sentence: a change decides, whatever comes first', () => {
  const cases: [string, TaskKind][] = [
    ['Run the tests and fix what fails', 'change'],
    ['Explain the failure, then fix it', 'change'],
    ['Could you run the tests and tell me what fails?', 'run'],
    ['列出失败的测试并修复', 'change'],
    ['看看测试为什么失败，修好它', 'change'],
    ['运行测试并告诉我结果', 'run'],
    ['合并分支有什么风险？', 'answer'],
    ['How do I add a server, and create a check?', 'answer'],
    ['Was the bug fixed?', 'answer'],
    ['测试修好了吗？', 'answer'],
    ['Highlight the current line', 'change'],
    ['Please do NOT fix the tests; only explain the failures.', 'answer'],
    ['No fixes please, only run the tests', 'run'],
    ['只解释，不修复', 'answer'],
    ['帮我看下测试为啥挂了', 'answer'],
    ['把所有红的测试搞定', 'change'],
  ];
  for (const [text, kind] of cases) assert.equal(classifyTask(text), kind, text);
});

test('the rules end quickly on hostile text', () => {
  for (const piece of ['make ', 'do not fix ', '不要', '把', '让', 'how to, ', '请', 'please ']) {
    classifyTask(piece.repeat(8000));
    canBeDoneByTests(piece.repeat(8000));
  }
});
