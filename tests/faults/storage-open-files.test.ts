import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { needsSandbox } from '../scenarios/support/needs-sandbox.ts';
import { processesNaming, untilNone } from '../scenarios/support/processes.ts';
import { prepareRun } from './broken-run.ts';

/** Node itself needs about 24: with fewer it crashes before our first line. */
const limits = [26, 32, 40, 80];

for (const limit of limits) {
  test(
    `F7 S3: with ${limit} open files a run ends well or with one sentence, and goes on with more`,
    needsSandbox,
    (t) => runWith(t, limit),
  );
}

async function runWith(t: TestContext, limit: number): Promise<void> {
  const run = await prepareRun(t, 'model');
  const launcher = ['sh', '-c', `ulimit -n ${limit} && exec "$@"`, 'sh'];
  const stopped = await run.start({ launcher });
  const shown = `${stopped.stdout.slice(-2000)}\n${stopped.stderr}`;
  t.diagnostic(`exit ${stopped.exitCode} after ${stopped.events.length} events`);
  assert.ok(stopped.exitCode === 0 || stopped.exitCode === 4, shown);
  if (stopped.exitCode === 4) {
    const failure = stopped.events.at(-1)?.failure as { message: string; hint: string } | undefined;
    // Trying the sandbox is the part that can fail for it without ending the run: then that is what is said.
    assert.match(failure?.message ?? '', /^This process may not open more files: |EMFILE/, shown);
  }
  assert.doesNotMatch(shown, /^\s+at .*:\d+:\d+/m, 'no stack trace');
  assert.deepEqual(await untilNone(() => processesNaming(run.scenario.checkout)), []);

  const resumed = await (run.sessionId() === undefined ? run.start() : run.resume());
  const account = run.account(resumed);
  assert.equal(account.exitCode, 0, resumed.stdout.slice(-2000) + resumed.stderr);
  assert.match(account.diff, /\+ {2}return a \+ b;/);
  assert.equal(account.modelRequests, 4, 'no request was made twice');
}
