import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sumRepository } from '../faults/sum-repository.ts';
import { filesScenario, type Scenario } from './support/checkouts.ts';
import { needsSandbox } from './support/needs-sandbox.ts';
import { runCapstan } from './support/run-capstan.ts';

interface Part {
  readonly kind: string;
  readonly state: string;
  readonly durationMs: number;
  readonly idleMs: number;
  readonly rows: readonly number[];
  readonly children: readonly Part[];
}

function every(part: Part): Part[] {
  return [part, ...part.children.flatMap(every)];
}

async function traced(scenario: Scenario): Promise<Part> {
  const { exitCode, stdout, stderr } = await runCapstan(['trace', 'last', '--json'], { home: scenario.home });
  assert.equal(exitCode, 0, stderr);
  return JSON.parse(stdout) as Part;
}

/** Runs until a call of a test run is in the log, looks at the session then, and kills the process. */
async function tracedInTheMiddle(t: TestContext): Promise<{ scenario: Scenario; trace: Part }> {
  const scenario = filesScenario(t, sumRepository(60_000));
  const seen = Promise.withResolvers<number>();
  let [pid, shown] = [0, ''];
  const run = runCapstan(['run', '--repo', scenario.checkout, '--json', 'make the failing tests pass'], {
    home: scenario.home,
    onStart: (started) => {
      pid = started;
    },
    onOutput: (text) => {
      shown += text;
      if (shown.includes('exec__run_check')) seen.resolve(pid);
    },
  });
  const running = await Promise.race([seen.promise, run.then((ended) => assert.fail(ended.stdout + ended.stderr))]);
  const trace = await traced(scenario);
  process.kill(running, 'SIGKILL');
  await run;
  return { scenario, trace };
}

test('X1: a session can be traced while it runs and after its process was killed', needsSandbox, async (t) => {
  const { scenario, trace } = await tracedInTheMiddle(t);
  assert.equal(trace.state, 'open');
  assert.deepEqual(
    every(trace)
      .filter((part) => part.kind === 'call')
      .map((part) => part.state),
    ['done', 'open'],
  );
  const dead = await traced(scenario);
  assert.equal(dead.state, 'cut-off');
  const gap = every(dead).find((part) => part.kind === 'gap');
  assert.ok(gap && gap.idleMs === gap.durationMs, 'the time since then is no work');
  const rows = every(dead).flatMap((part) => part.rows);
  assert.equal(new Set(rows).size, Math.max(...rows), 'every row is shown');

  const text = await runCapstan(['trace', 'last'], { home: scenario.home });
  assert.match(text.stdout, /no process drives it: .*resume session-/);
  assert.match(text.stdout, /call {2}exec__run_check .* cut off/);
  const narrow = await runCapstan(['trace', 'last', '--html', 'page.html'], { home: scenario.home });
  const page = join(scenario.home, 'page.html');
  assert.equal(narrow.stdout, `The page is ${page}\n`);
  assert.match(readFileSync(page, 'utf8'), /^<!doctype html>.*<\/html>\n$/s);
  assert.equal(statSync(page).mode & 0o077, 0, 'for its owner alone');
  const nowhere = await runCapstan(['trace', 'last', '--html', 'no/such/folder.html'], { home: scenario.home });
  assert.equal(nowhere.exitCode, 2);
  assert.equal(existsSync(join(scenario.home, 'no')), false);
});
