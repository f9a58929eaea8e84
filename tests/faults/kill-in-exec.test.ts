import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsSandbox } from '../scenarios/support/needs-sandbox.ts';
import { descendants, processesNaming, survivors, untilNone } from '../scenarios/support/processes.ts';
import { prepareRun } from './broken-run.ts';

test(
  'F7 G8: kill -9 in the middle of a check: its whole tree dies, and the run resumes to the same diff',
  needsSandbox,
  async (t) => {
    const run = await prepareRun(t, 'model', 1500);
    let pid = 0;
    let tree: ReturnType<typeof descendants> = [];
    const killed = await run.start({
      onStart: (started) => {
        pid = started;
        const look = setInterval(() => {
          tree = descendants(pid);
          const testing = tree.some((row) => row.command.includes('sum.test.mjs'));
          if (!testing) return;
          clearInterval(look);
          process.kill(pid, 'SIGKILL');
        }, 20);
        t.after(() => clearInterval(look));
      },
    });
    assert.equal(killed.signal, 'SIGKILL', killed.stderr);
    assert.ok(tree.length >= 3, `server, sandbox and test were running: ${JSON.stringify(tree)}`);
    assert.deepEqual(await untilNone(() => survivors(tree)), [], 'nothing of the tree is left');
    const resumed = await run.resume();
    assert.equal(resumed.exitCode, 0, resumed.stdout.slice(-2000) + resumed.stderr);
    assert.match(run.account(resumed).diff, /\+ {2}return a \+ b;/);
    assert.equal(run.account(resumed).modelRequests, 4, 'no request was repeated');
    const left = await untilNone(() =>
      processesNaming(run.scenario.base).filter((row) => !row.command.includes('scripted')),
    );
    assert.deepEqual(left, []);
  },
);
