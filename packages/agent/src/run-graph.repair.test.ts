import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokenFiles, ended, makeTask, RunFixture } from './testing/run-fixture.ts';

const failingTests = 'Make the failing tests pass';

test('N1: two bugs are repaired one after another, with the tests as the only guide', async () => {
  const run = new RunFixture({ task: makeTask('repair', failingTests) });
  const outcome = ended(await run.drive());
  assert.deepEqual([outcome.status, outcome.exitCode], ['done', 0]);
  assert.deepEqual(outcome.verification?.fixed, ['sum adds', 'area multiplies']);
  assert.match(run.workspace.files['src/sum.mjs'] ?? '', /a \+ b/);
  assert.match(run.workspace.files['src/area.mjs'] ?? '', /=> a \* b/);
  assert.match(outcome.answer, /passes your tests, no more/);
  assert.equal(outcome.usage.modelRequests, 0);
  const diff = run.storage.events.bodies('diff-ready');
  assert.deepEqual(diff[0]?.files, ['src/area.mjs', 'src/sum.mjs']);
});

for (const text of ['Fix the bug in sum', '修复失败的测试', '让所有测试通过']) {
  test(`X6: repair understands: ${text}`, async () => {
    const run = new RunFixture({ task: makeTask('repair', text) });
    assert.equal(ended(await run.drive()).status, 'done');
  });
}

test('N1: what no operator can mend ends unsolved, and says so', async () => {
  const files = {
    ...brokenFiles,
    'src/area.mjs': 'export const area = (a, b) => Math.max(a, b);\nexport const twice = (a) => a * 2;\n',
  };
  const run = new RunFixture({ task: makeTask('repair', failingTests), files });
  const outcome = ended(await run.drive());
  assert.deepEqual([outcome.status, outcome.exitCode, outcome.failure?.code], ['unsolved', 1, 'unsolved']);
  assert.match(outcome.answer, /did not solve this.*On the way it made pass: sum adds/);
  assert.deepEqual(run.storage.events.bodies('diff-ready')[0]?.files, ['src/sum.mjs']);
});

test('N1: where nothing fails there is nothing to do', async () => {
  const files = { 'src/sum.mjs': 'export const sum = (a, b) => a + b;' };
  const green = [{ id: 'sum adds', file: 'src/sum.mjs', passes: () => true }];
  const outcome = ended(await new RunFixture({ task: makeTask('repair', failingTests), files, tests: green }).drive());
  assert.deepEqual([outcome.status, outcome.exitCode], ['done', 0]);
  assert.match(outcome.answer, /Nothing fails/);
  const other = ended(
    await new RunFixture({ task: makeTask('repair', 'Fix the bug in sum'), files, tests: green }).drive(),
  );
  assert.deepEqual([other.status, other.exitCode, other.failure?.code], ['failed', 4, 'no-model']);
});

test('N1: a task that needs understanding is refused without touching anything', async () => {
  for (const text of ['Add a dark mode', 'Fix the typo in README', 'Fix the failing tests and add a dark mode']) {
    const run = new RunFixture({ task: makeTask('repair', text) });
    const outcome = ended(await run.drive());
    assert.deepEqual([outcome.exitCode, outcome.failure?.code], [4, 'no-model'], text);
    assert.deepEqual(run.gateway.effects, [], text);
  }
});

test('A1: no tests, no sandbox, tests without end: each ends with its own code', async () => {
  const without = new RunFixture({ task: makeTask('repair', failingTests) });
  without.gateway.hasTests = false;
  const noTests = ended(await without.drive());
  assert.deepEqual([noTests.exitCode, noTests.failure?.code], [1, 'no-tests']);

  const bare = new RunFixture({ task: makeTask('repair', failingTests) });
  const failure = {
    level: 'fatal',
    code: 'no-sandbox',
    message: 'no sandbox works here',
    hint: 'install bubblewrap',
  } as const;
  bare.gateway.failures.set('exec__run_check', [{ kind: 'failed', callId: '', failure }]);
  const noSandbox = ended(await bare.drive());
  assert.deepEqual([noSandbox.status, noSandbox.exitCode, noSandbox.failure], ['failed', 4, failure]);
});

test('A13: a patch that does not pass the final verification is rolled back, and the next one is tried', async () => {
  const run = new RunFixture({ task: makeTask('repair', failingTests), files: brokenFiles });
  const { gateway } = run;
  const original = gateway.callTool.bind(gateway);
  let runs = 0;
  gateway.callTool = async (call, context) => {
    const outcome = await original(call, context);
    if (call.name !== 'exec__run_check' || outcome.kind !== 'result') return outcome;
    runs += 1;
    // The second run is the first verification: pretend that the suite says no to the patch this once.
    if (runs !== 2) return outcome;
    const structured = structuredClone(outcome.result.structured) as { report: { tests: { status: string }[] } };
    for (const item of structured.report.tests) item.status = 'failed';
    return { ...outcome, result: { ...outcome.result, structured } };
  };
  const outcome = await run.drive();
  const checks = run.storage.events.bodies('workspace-snapshot').length;
  assert.equal(run.workspace.restores - checks, 1, 'beside what checks leave behind');
  assert.equal(run.storage.events.bodies('attempt-fail').length, 1);
  assert.equal(outcome.kind, 'ended');
});

test('T8: retryable failures are tried again, a bounded number of times', async () => {
  const run = new RunFixture({ task: makeTask('repair', failingTests) });
  const failure = { level: 'retryable', code: 'server-failed', message: 'restarting' } as const;
  const failed = { kind: 'failed', callId: '', failure } as const;
  run.gateway.failures.set('repair__localise_fault', [failed, failed]);
  assert.equal(ended(await run.drive()).status, 'done');

  const gone = new RunFixture({ task: makeTask('repair', failingTests) });
  gone.gateway.failures.set(
    'repair__localise_fault',
    Array.from({ length: 9 }, () => failed),
  );
  const outcome = ended(await gone.drive());
  assert.deepEqual([outcome.exitCode, outcome.failure?.code], [4, 'server-failed']);
  assert.equal(gone.gateway.failures.get('repair__localise_fault')?.length, 5);
});

test('F7: killed before and after every event row, repair gives the same diff and repeats no effect', async () => {
  const whole = new RunFixture({ task: makeTask('repair', failingTests) });
  const expected = await whole.drive();
  const rows = whole.storage.events.rows.length;
  assert.ok(rows > 40);
  for (let row = 1; row <= rows; row += 1) {
    for (const phase of ['before', 'after'] as const) {
      const run = new RunFixture({ task: makeTask('repair', failingTests) });
      run.storage.events.crash = { row, phase };
      const outcome = await run.driveThroughCrashes();
      assert.equal(run.storage.events.crash, undefined, `the crash ${phase} row ${row} took place`);
      assert.deepEqual(outcome, expected, `${phase} row ${row}`);
      assert.deepEqual(run.workspace.files, whole.workspace.files);
      assert.deepEqual(run.gateway.effects, whole.gateway.effects, `${phase} row ${row}`);
      assert.deepEqual(
        run.storage.events.rows.map(({ body }) => body),
        whole.storage.events.rows.map(({ body }) => body),
      );
    }
  }
});
