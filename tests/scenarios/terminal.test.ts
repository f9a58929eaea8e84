import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sumRepository } from '../faults/sum-repository.ts';
import { filesScenario, type Scenario } from './support/checkouts.ts';
import { needsSandbox } from './support/needs-sandbox.ts';
import { processesNaming, untilNone } from './support/processes.ts';
import { installation, lastEvent, runCapstan } from './support/run-capstan.ts';

// `script` (util-linux) gives a program a real terminal, so that Ctrl-C reaches the whole process group.
const terminal = spawnSync('script', ['--version']).status === 0;
const options = terminal ? needsSandbox : { skip: 'needs script (util-linux): not installed' };

test(
  'X1 S3: Ctrl-C in a terminal stops the run with what to do, whenever it comes, and it resumes',
  options,
  async (t) => {
    // The phases: copying the checkout, the state before, validating.
    for (const phase of ['checkout ', 'exec__run_check', 'repair__validate_patch']) {
      await t.test(phase.trim(), async (inner) => {
        const scenario = filesScenario(inner, sumRepository(300));
        const run = inTerminal(inner, scenario);
        await run.sees(phase);
        run.child.stdin?.write('\u0003');
        const [exitCode] = await once(run.child, 'exit');
        assert.equal(exitCode, 3, run.text());
        assert.match(run.text(), /Stopped/);
        const session = /capstan resume (session-[0-9a-f]+)/.exec(run.text())?.[1] ?? '';
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
  options,
  async (t) => {
    const scenario = filesScenario(t, sumRepository(300));
    const run = inTerminal(t, scenario);
    await run.sees('repair__localise_fault');
    const session = /Session (session-[0-9a-f]+)/.exec(run.text())?.[1] ?? '';
    run.child.kill('SIGKILL');
    assert.deepEqual(await untilNone(() => processesNaming(scenario.base), 15_000), []);
    const resumed = await runCapstan(['resume', '--json', session], { home: scenario.home });
    assert.equal(resumed.exitCode, 0, resumed.stdout.slice(-3000) + resumed.stderr);
  },
);

interface TerminalRun {
  readonly child: ChildProcess;
  text(): string;
  /** Waits until a text has been shown. */
  sees(text: string): Promise<void>;
}

function inTerminal(t: Pick<TestContext, 'after'>, scenario: Scenario): TerminalRun {
  const quote = (word: string) => `'${word}'`;
  const words = [process.execPath, join(installation, 'bin', 'capstan'), 'run', '--repo', scenario.checkout];
  const command = `exec ${[...words, 'make the failing tests pass'].map(quote).join(' ')}`;
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: scenario.home,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: scenario.home,
      SHELL: '/bin/sh',
      TERM: 'xterm',
      CAPSTAN_HOME: join(scenario.home, 'state'),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  let shown = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  return {
    child,
    text: () => shown,
    async sees(text) {
      const end = Date.now() + 60_000;
      while (!shown.includes(text)) {
        assert.ok(child.exitCode === null && Date.now() < end, `waiting for ${text} in:\n${shown}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}
