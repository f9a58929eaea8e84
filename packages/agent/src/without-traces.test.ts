import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelToolCall } from '@capstan/contracts';
import { brokenFiles, ended, MemoryModel, makeTask, RunFixture } from './testing/run-fixture.ts';

const failingTests = 'Make the failing tests pass';
const check: ModelToolCall = { id: 'check', name: 'exec__run_check', arguments: { checkId: 'npm:test' } };

function edit(path: string, oldText: string, newText: string): ModelToolCall {
  return { id: 'edit', name: 'fs-write__edit_files', arguments: { edits: [{ path, oldText, newText }] } };
}

/** A suite that renames a file, changes a source and writes coverage. */
function litter({ '.env': secrets, ...files }: Record<string, string>): Record<string, string> {
  const area = `${files['src/area.mjs'] ?? ''}// touched by a test\n`;
  return { ...files, 'src/area.mjs': area, 'coverage.json': '{}', 'public.txt': secrets ?? '' };
}

function untidy(planner: 'model' | 'repair'): RunFixture {
  const model = new MemoryModel((_, turn) =>
    turn === 0
      ? {
          calls: [check, edit('src/sum.mjs', 'a - b', 'a + b'), check, edit('src/area.mjs', 'a + b', 'a * b'), check],
        }
      : { text: 'I fixed src/sum.mjs and src/area.mjs and ran the tests.' },
  );
  const files = { ...brokenFiles, '.env': 'KEY=1' };
  const run = new RunFixture({ task: makeTask(planner, failingTests), files, ...(planner === 'model' && { model }) });
  run.gateway.litter = litter;
  return run;
}

for (const planner of ['repair', 'model'] as const) {
  test(`A6: what a test suite writes is no part of the diff (${planner})`, async () => {
    const run = untidy(planner);
    assert.equal(ended(await run.drive()).status, 'done');
    assert.deepEqual(run.workspace.files, {
      'src/sum.mjs': 'export const sum = (a, b) => a + b;\n',
      'src/area.mjs': 'export const area = (a, b) => a * b;\nexport const twice = (a) => a * 2;\n',
      '.env': 'KEY=1',
    });
    assert.deepEqual(run.storage.events.bodies('diff-ready')[0]?.files, ['src/area.mjs', 'src/sum.mjs']);
  });

  test(`F7: killed around every row, a check takes back what it wrote and no edit (${planner})`, async () => {
    const whole = untidy(planner);
    const expected = await whole.drive();
    const bodies = whole.storage.events.rows.map(({ body }) => body);
    for (let row = 1; row <= bodies.length; row += 1) {
      for (const phase of ['before', 'after'] as const) {
        const run = untidy(planner);
        run.storage.events.crash = { row, phase };
        assert.deepEqual(await run.driveThroughCrashes(), expected, `${phase} row ${row}`);
        assert.deepEqual(run.workspace.files, whole.workspace.files, `${phase} row ${row}`);
        assert.deepEqual(run.gateway.effects, whole.gateway.effects, `${phase} row ${row}`);
        assert.deepEqual(
          run.storage.events.rows.map(({ body }) => body),
          bodies,
        );
      }
    }
  });
}

test('A6: a check that was killed half-way starts again from the tree before it', async () => {
  const run = untidy('repair');
  const { gateway, workspace } = run;
  const original = gateway.callTool.bind(gateway);
  const seen: string[][] = [];
  gateway.callTool = async (call, context) => {
    if (call.name !== 'exec__run_check') return original(call, context);
    seen.push(Object.keys(workspace.files));
    if (seen.length > 1) return original(call, context);
    // The process ends here: what it does afterwards reaches neither the workspace nor the log.
    workspace.restore = async () => {
      throw new Error('killed');
    };
    workspace.files = litter(workspace.files);
    throw new Error('killed');
  };
  await assert.rejects(run.drive(), /killed/);
  workspace.restore = Object.getPrototypeOf(workspace).restore;
  assert.equal(ended(await run.drive()).status, 'done');
  assert.deepEqual(seen[1], seen[0]);
  assert.ok(!('coverage.json' in workspace.files));
});
