import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { needsSandbox } from '../scenarios/support/needs-sandbox.ts';
import { processesNaming, untilNone } from '../scenarios/support/processes.ts';
import { type Finished, installation } from '../scenarios/support/run-capstan.ts';
import { accountOf, type BrokenRun, prepareRun } from './broken-run.ts';

type Planner = 'model' | 'repair';

const hook = join(installation, 'tests', 'faults', 'signal-at-event.mjs');
const options = { ...needsSandbox, concurrency: 2 };
const everything = process.env.CAPSTAN_KILL_SWEEP === 'all';
/** What a service manager, a person and a terminal that is closed send. */
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

for (const [offset, planner] of (['model', 'repair'] as const).entries()) {
  test(
    `X1 S3: a signal at every phase stops the run with one sentence, and it resumes to the same diff, planner ${planner}`,
    options,
    async (t) => {
      const unbroken = await accountOf(t, planner);
      // The last row is the end itself. By default one point in 13 is tried, others for each planner.
      const phases = firstOfEach(unbroken.eventTypes.slice(0, -1));
      const points = phases.flatMap((row, at) => [
        `${row}:${signals[at % signals.length]}`,
        `${row}:${signals[at % signals.length]},SIGINT`,
      ]);
      const chosen = points.filter((_, at) => everything || at % 13 === offset);
      await Promise.all(
        chosen.map((point) => t.test(point, (inner) => interruptAt(inner, planner, point, unbroken.diff))),
      );
    },
  );
}

/** Row numbers, from 1, at which an event type is seen for the first time. */
function firstOfEach(types: readonly string[]): number[] {
  return types.flatMap((type, at) => (types.indexOf(type) === at ? [at + 1] : []));
}

async function interruptAt(t: TestContext, planner: Planner, point: string, diff: string): Promise<void> {
  const run = await prepareRun(t, planner);
  const stopped = await run.start({ nodeArguments: ['--import', hook], environment: { SIGNAL_AT: point } });
  const shown = `${stopped.stdout.slice(-2000)}${stopped.stderr}`;
  if (point.includes(',')) assert.ok([3, 130].includes(stopped.exitCode ?? -1), shown);
  else saysOneSentence(stopped, point.split(':')[1] ?? '', shown);
  await nothingLeft(run);
  const editedBefore = run.editedFile();
  const resumed = await run.resume();
  assert.equal(resumed.exitCode, 0, resumed.stdout.slice(-2000) + resumed.stderr);
  assert.equal(run.account(resumed).diff, diff);
  if (editedBefore?.includes('a + b'))
    assert.equal(run.editedFile(), editedBefore, 'a finished edit is not made again');
  await nothingLeft(run);
  await run.stop();
}

function saysOneSentence(stopped: Finished, signal: string, shown: string): void {
  assert.equal(stopped.exitCode, 3, shown);
  const end = stopped.events.at(-1) as { type?: string; status?: string; failure?: { code: string; message: string } };
  assert.deepEqual([end.type, end.status, end.failure?.code], ['run-end', 'waiting', 'stopped'], shown);
  assert.equal(end.failure?.message, `The run was stopped by ${signal}; nothing is lost.`);
}

async function nothingLeft(run: BrokenRun): Promise<void> {
  const left = () => processesNaming(run.scenario.base).filter((row) => !row.command.includes('scripted'));
  assert.deepEqual(await untilNone(left, 30_000), [], 'nothing is left');
}
