import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { needsSandbox } from '../scenarios/support/needs-sandbox.ts';
import { type Finished, installation, runCapstan } from '../scenarios/support/run-capstan.ts';
import { prepareRun } from './broken-run.ts';

const hook = join(installation, 'tests', 'faults', 'clock-jump.mjs');
const hours = 60 * 60_000;

/** Options for a process whose clock is set otherwise. */
function shifted(milliseconds: number) {
  const environment = { CLOCK_JUMP: String(milliseconds), CLOCK_JUMP_AT_START: '1' };
  return { nodeArguments: ['--import', hook], environment };
}

for (const jump of [10 * hours, -10 * hours]) {
  const name = jump > 0 ? 'forward' : 'back';
  test(
    `F7: the clock is set ${name} by hours while a run works: nobody takes its session, gc leaves it, it ends well`,
    needsSandbox,
    async (t) => {
      const run = await prepareRun(t, 'repair', 1500);
      const others: Promise<Finished>[] = [];
      const finished = await run.start({
        onOutput: (text) => {
          // Once, when the run is in the middle of a check.
          if (others.length > 0 || (!text.includes('"run_check"') && !text.includes('exec__run_check'))) return;
          const other = (...args: string[]) => runCapstan(args, { home: run.scenario.home, ...shifted(jump) });
          others.push(
            other('resume', '--json', run.sessionId() ?? ''),
            other('gc', '--keep-days', '0', '--keep', '0', '--json'),
          );
        },
      });
      const [resumed, collected] = await Promise.all(others);
      assert.equal(resumed?.exitCode, 3, resumed?.stdout);
      assert.match(resumed?.stdout ?? '', /"code":"session-busy"/);
      assert.equal(collected?.exitCode, 0, collected?.stderr);
      assert.match(
        collected?.stdout ?? '',
        /"removed":\[\],"kept":\[\{"sessionId":"[^"]+","reason":"it is in use"\}\]/,
      );
      assert.equal(finished.exitCode, 0, finished.stdout.slice(-2000) + finished.stderr);
    },
  );

  test(
    `F7 S3: the clock is set ${name} by hours between two lives of a run: it resumes to the same end`,
    needsSandbox,
    (t) => betweenLives(t, jump),
  );
}

async function betweenLives(t: TestContext, jump: number): Promise<void> {
  const run = await prepareRun(t, 'model');
  const kill = join(installation, 'tests', 'faults', 'kill-at-event.mjs');
  const killed = await run.start({ nodeArguments: ['--import', kill], environment: { KILL_AT: 'after:20' } });
  assert.equal(killed.signal, 'SIGKILL', killed.stderr);
  const resumed = await run.resume(shifted(jump));
  const account = run.account(resumed);
  assert.equal(account.exitCode, 0, resumed.stdout.slice(-2000) + resumed.stderr);
  assert.match(account.diff, /\+ {2}return a \+ b;/);
  assert.equal(account.modelRequests, 4, 'no request was made twice');
  const numbers = resumed.events.flatMap((event) => (typeof event.number === 'number' ? [event.number] : []));
  assert.deepEqual(
    numbers,
    numbers.map((_, at) => at + 1),
    'events keep their order',
  );
}
