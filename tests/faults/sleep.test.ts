import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { needsSandbox } from '../scenarios/support/needs-sandbox.ts';
import { descendants, processesNaming, untilNone } from '../scenarios/support/processes.ts';
import { type Finished, installation, runCapstan } from '../scenarios/support/run-capstan.ts';
import { prepareRun } from './broken-run.ts';

const hook = ['--import', join(installation, 'tests', 'faults', 'clock-jump.mjs')];
const hours = (count: number) => String(count * 3_600_000);

test(
  'S3: a machine that sleeps in the middle of a check and wakes with a clock that has moved on goes on to the end',
  needsSandbox,
  async (t) => {
    const run = await prepareRun(t, 'repair', 1000);
    let slept = 0;
    const finished = await run.start({
      nodeArguments: hook,
      environment: { CLOCK_JUMP: hours(8) },
      onStart: (pid) =>
        void whileFrozen(pid, async (count) => {
          slept = count;
          await sleep(2000);
          send(pid, 'SIGUSR2');
        }),
    });
    assert.ok(slept >= 3, `the run, a server and the test slept: ${slept} processes`);
    assert.equal(finished.exitCode, 0, finished.stdout.slice(-2000) + finished.stderr);
    assert.match(run.account(finished).diff, /\+ {2}return a \+ b;/);
    assert.deepEqual(await untilNone(() => processesNaming(run.scenario.base), 30_000), []);
  },
);

test(
  'S4: a run that is frozen keeps its session, however late it is, and finishes it when it wakes',
  needsSandbox,
  async (t) => {
    const run = await prepareRun(t, 'repair', 1000);
    let refused: Finished | undefined;
    const finished = await run.start({
      onStart: (pid) =>
        void whileFrozen(pid, async () => {
          refused = await runCapstan(['resume', run.sessionId() ?? 'none'], {
            home: run.scenario.home,
            nodeArguments: hook,
            environment: { CLOCK_JUMP: hours(8), CLOCK_JUMP_AT_START: '1' },
          });
        }),
    });
    assert.equal(refused?.exitCode, 3, `${refused?.stdout}${refused?.stderr}`);
    assert.match(refused?.stderr ?? '', /is being run by another process/);
    assert.equal(finished.exitCode, 0, finished.stdout.slice(-2000) + finished.stderr);
    assert.deepEqual(await untilNone(() => processesNaming(run.scenario.base), 30_000), []);
  },
);

/** Freezes a run and everything below it as soon as its tests run, and wakes them when `work` is done. */
async function whileFrozen(pid: number, work: (count: number) => Promise<void>): Promise<void> {
  while (!descendants(pid).some(({ command }) => command.includes('sum.test.mjs'))) {
    if (descendants(process.pid).every((row) => row.pid !== pid)) return; // It ended before: the test says so.
    await sleep(20);
  }
  const frozen = [pid, ...descendants(pid).map((row) => row.pid)];
  for (const one of frozen) send(one, 'SIGSTOP');
  try {
    await work(frozen.length);
  } finally {
    for (const one of frozen) send(one, 'SIGCONT');
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}
