import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { needsSandbox } from '../scenarios/support/needs-sandbox.ts';
import { descendants, processesNaming, untilNone } from '../scenarios/support/processes.ts';
import { installation, runCapstan } from '../scenarios/support/run-capstan.ts';
import { prepareRun } from './broken-run.ts';

const hook = ['--import', join(installation, 'tests', 'faults', 'clock-jump.mjs')];
const hours = (count: number) => String(count * 3_600_000);

for (const jump of [hours(8), hours(-8)]) {
  test(
    `S3: a machine that sleeps in the middle of a check and wakes with a clock that has moved ${jump} ms goes on to the end`,
    needsSandbox,
    async (t) => {
      const run = await prepareRun(t, 'repair', 1000);
      let slept = 0;
      const finished = await run.start({
        nodeArguments: hook,
        environment: { CLOCK_JUMP: jump },
        onStart: (pid) => {
          const lookAgain = async (): Promise<void> => {
            if (slept > 0 || !descendants(pid).some(({ command }) => command.includes('sum.test.mjs'))) return;
            const frozen = [pid, ...descendants(pid).map((row) => row.pid)];
            slept = frozen.length;
            for (const one of frozen) send(one, 'SIGSTOP');
            await sleep(2000);
            send(pid, 'SIGUSR2');
            for (const one of frozen) send(one, 'SIGCONT');
          };
          const look = setInterval(() => void lookAgain(), 20);
          t.after(() => clearInterval(look));
        },
      });
      assert.ok(slept >= 3, `the run, a server and the test slept: ${slept} processes`);
      assert.equal(finished.exitCode, 0, finished.stdout.slice(-2000) + finished.stderr);
      assert.match(run.account(finished).diff, /\+ {2}return a \+ b;/);
      assert.deepEqual(await untilNone(() => processesNaming(run.scenario.base), 30_000), []);
    },
  );
}

test(
  'S4: a run that is frozen keeps its session, however late it is, and finishes it when it wakes',
  needsSandbox,
  async (t) => {
    const run = await prepareRun(t, 'repair', 1000);
    let other: Promise<{ exitCode: number | null; stderr: string; stdout: string }> | undefined;
    const finished = await run.start({
      onStart: (pid) => {
        const lookAgain = async (): Promise<void> => {
          if (other || !descendants(pid).some(({ command }) => command.includes('sum.test.mjs'))) return;
          const frozen = [pid, ...descendants(pid).map((row) => row.pid)];
          for (const one of frozen) send(one, 'SIGSTOP');
          other = runCapstan(['resume', run.sessionId() ?? 'none'], {
            home: run.scenario.home,
            nodeArguments: hook,
            environment: { CLOCK_JUMP: hours(8), CLOCK_JUMP_AT_START: '1' },
          });
          await other;
          for (const one of frozen) send(one, 'SIGCONT');
        };
        const look = setInterval(() => void lookAgain(), 20);
        t.after(() => clearInterval(look));
      },
    });
    const refused = await other;
    assert.equal(refused?.exitCode, 3, `${refused?.stdout}${refused?.stderr}`);
    assert.match(refused?.stderr ?? '', /is being run by another process/);
    assert.equal(finished.exitCode, 0, finished.stdout.slice(-2000) + finished.stderr);
    assert.deepEqual(await untilNone(() => processesNaming(run.scenario.base), 30_000), []);
  },
);

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}
