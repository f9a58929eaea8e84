import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelToolCall } from '@capstan/contracts';
import { ended, MemoryModel, makeTask, RunFixture } from './testing/run-fixture.ts';

const scripts = '{ "scripts": { "test": "node --test" } }';
const files = {
  'package.json': scripts,
  'src/sum.mjs': 'export const sum = (a, b) => a + b;\n',
};

function edit(path: string, oldText: string, newText: string): ModelToolCall {
  return { id: 'edit', name: 'fs-write__edit_files', arguments: { edits: [{ path, oldText, newText }] } };
}

/** A repository whose suite runs only while the test script starts it. */
function silenced(text: string): RunFixture {
  const model = new MemoryModel((_, turn) =>
    turn === 0
      ? { calls: [edit('package.json', 'node --test', 'true'), edit('src/sum.mjs', 'export', '// dark\nexport')] }
      : { text: 'I edited src/sum.mjs. All tests pass.' },
  );
  const tests = [{ id: 'sum adds', file: 'src/sum.mjs', passes: () => true }];
  const run = new RunFixture({ task: makeTask('model', text), model, files, tests });
  run.gateway.testRunner = { file: 'package.json', command: 'node --test' };
  return run;
}

for (const text of ['Add a dark mode', '添加深色模式', 'Fix the bug in sum']) {
  test(`A4: a model that sets the test script to true is not verified: ${text}`, async () => {
    const outcome = ended(await silenced(text).drive());
    assert.deepEqual([outcome.exitCode, outcome.verification?.verdict], [1, 'not-verified']);
    assert.match(outcome.verification?.reason ?? '', /do not run any more: sum adds/);
  });
}

test('A4: where the task asks for it, the tests may go', async () => {
  const outcome = ended(await silenced('Remove the test suite').drive());
  assert.deepEqual([outcome.exitCode, outcome.verification?.verdict], [0, 'verified']);
});
