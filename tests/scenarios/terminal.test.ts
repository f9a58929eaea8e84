import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { sumRepository } from '../faults/sum-repository.ts';
import { filesScenario } from './support/checkouts.ts';
import { inTerminal, needsTerminal } from './support/in-terminal.ts';
import { processesNaming, untilNone } from './support/processes.ts';
import { lastEvent, runCapstan } from './support/run-capstan.ts';

const task = 'make the failing tests pass';

test(
  'X1 S3: Ctrl-C in a terminal stops the run with what to do, whenever it comes, and it resumes',
  needsTerminal,
  async (t) => {
    // The phases: copying the checkout, the state before, validating.
    for (const phase of ['checkout ', 'exec__run_check', 'repair__validate_patch']) {
      await t.test(phase.trim(), async (inner) => {
        const scenario = filesScenario(inner, sumRepository(300));
        const run = inTerminal(inner, scenario, ['run', '--repo', scenario.checkout, task]);
        await run.sees(phase);
        run.child.stdin?.write('\u0003');
        const [exitCode] = await once(run.child, 'exit');
        assert.equal(exitCode, 3, run.text());
        assert.match(run.text(), /Stopped/);
        const session = /capstan'? resume (session-[0-9a-f]+)/.exec(run.text())?.[1] ?? '';
        assert.deepEqual(await untilNone(() => processesNaming(scenario.base)), []);
        const resumed = await runCapstan(['resume', '--json', session], { home: scenario.home });
        assert.equal(resumed.exitCode, 0, resumed.stdout.slice(-3000) + resumed.stderr);
        assert.equal(lastEvent(resumed, 'run-end').status, 'done');
      });
    }
  },
);

test(
  'X1 S3: a terminal that is closed ends the run, leaves nothing behind, and the run resumes',
  needsTerminal,
  async (t) => {
    const scenario = filesScenario(t, sumRepository(300));
    const run = inTerminal(t, scenario, ['run', '--repo', scenario.checkout, task]);
    await run.sees('repair__localise_fault');
    const session = /Session (session-[0-9a-f]+)/.exec(run.text())?.[1] ?? '';
    run.child.kill('SIGKILL');
    assert.deepEqual(await untilNone(() => processesNaming(scenario.base), 15_000), []);
    const resumed = await runCapstan(['resume', '--json', session], { home: scenario.home });
    assert.equal(resumed.exitCode, 0, resumed.stdout.slice(-3000) + resumed.stderr);
  },
);
