import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { needsSandbox } from '../scenarios/support/needs-sandbox.ts';
import { processesNaming, untilNone } from '../scenarios/support/processes.ts';
import { installation } from '../scenarios/support/run-capstan.ts';
import { type Account, accountOf, prepareRun } from './broken-run.ts';

type Planner = 'model' | 'repair';

const hook = join(installation, 'tests', 'faults', 'kill-at-event.mjs');
// All points take ten minutes. By default one in 25 is tried, others for each planner; 25 is odd, so that both sides of a
// row have their turn.
const options = { ...needsSandbox, concurrency: 2 };
const everything = process.env.CAPSTAN_KILL_SWEEP === 'all';

for (const [offset, planner] of (['model', 'repair'] as const).entries()) {
  test(
    `F7 S3: kill -9 before and after event rows, planner ${planner}: same diff, nothing done twice`,
    options,
    async (t) => {
      const unbroken = await accountOf(t, planner);
      const rows = unbroken.eventTypes.length;
      const points = Array.from({ length: rows }, (_, at) => [`before:${at + 1}`, `after:${at + 1}`]).flat();
      const chosen = points.filter((_, at) => everything || at % 25 === offset);
      t.diagnostic(
        `${rows} rows, ${chosen.length} of ${points.length} points; unbroken: ${JSON.stringify({ ...unbroken, diff: undefined })}`,
      );
      await Promise.all(chosen.map((point) => t.test(point, (inner) => breakAt(inner, planner, point, unbroken))));
    },
  );
}

async function breakAt(t: TestContext, planner: Planner, point: string, unbroken: Account): Promise<void> {
  const run = await prepareRun(t, planner);
  const killed = await run.start({ nodeArguments: ['--import', hook], environment: { KILL_AT: point } });
  assert.equal(killed.signal, 'SIGKILL', `the run was killed ${point}: ${killed.stderr}`);
  const left = await untilNone(() =>
    processesNaming(run.scenario.base).filter((row) => !row.command.includes('scripted')),
  );
  assert.deepEqual(left, [], 'nothing of the killed run is left');
  const editedBefore = run.editedFile();
  const resumed = await run.resume();
  assert.deepEqual(run.account(resumed), unbroken, resumed.stderr);
  if (editedBefore?.includes('a + b'))
    assert.equal(run.editedFile(), editedBefore, 'a finished edit is not made again');
  await run.stop();
}
