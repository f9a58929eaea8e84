import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { exampleScenario, folderDigest } from './support/checkouts.ts';
import { eventShapes } from './support/event-shapes.ts';
import { matchesGolden } from './support/golden.ts';
import { needsSandbox } from './support/needs-sandbox.ts';
import { processesNaming, untilNone } from './support/processes.ts';
import { lastEvent, runCapstan } from './support/run-capstan.ts';

test(
  'N1 A1 A6: with no key, two bugs of the example become a verified diff, and apply brings it over',
  needsSandbox,
  async (t) => {
    const scenario = exampleScenario(t);
    const before = folderDigest(scenario.checkout);
    const finished = await runCapstan(['run', '--repo', scenario.checkout, '--json', 'make the failing tests pass'], {
      home: scenario.home,
    });
    const end = lastEvent(finished, 'run-end');
    assert.equal(finished.exitCode, 0, finished.stderr + JSON.stringify(end));
    assert.equal(finished.events.at(-1)?.type, 'run-end', 'the last line is run-end');
    assert.deepEqual((end.usage as { modelRequests: number }).modelRequests, 0);
    const { verdict, fixed, broken } = end.verification as { verdict: string; fixed: string[]; broken: string[] };
    assert.deepEqual([verdict, fixed.length, broken.length], ['verified', 4, 0]);
    assert.equal(folderDigest(scenario.checkout), before, 'untouched until apply');
    matchesGolden('events/repair-done', eventShapes(finished.events));
    const shown = await runCapstan(['diff', String(end.sessionId)], { home: scenario.home });
    assert.equal(shown.stdout, lastEvent(finished, 'diff-ready').diff);
    const applied = await runCapstan(['apply', String(end.sessionId)], { home: scenario.home });
    assert.equal(applied.exitCode, 0, applied.stderr);
    execFileSync(process.execPath, ['--test'], {
      cwd: scenario.checkout,
      env: { PATH: process.env.PATH ?? '' },
      stdio: 'pipe',
    });
    assert.deepEqual(await untilNone(() => processesNaming(scenario.base)), []);
  },
);

test('A6 G6: --apply applies a verified diff, and says so', needsSandbox, async (t) => {
  const scenario = exampleScenario(t);
  const applied = await runCapstan(
    ['run', '--repo', scenario.checkout, '--apply', '--json', 'make the failing tests pass'],
    { home: scenario.home },
  );
  assert.equal(applied.exitCode, 0, applied.stderr);
  assert.equal(lastEvent(applied, 'run-end').applied, true);
  assert.match(scenario.read('src/interval.js'), /first\.start < second\.end/);
});

test('S3: resuming a run that has ended reports it again and runs nothing', needsSandbox, async (t) => {
  const scenario = exampleScenario(t);
  const first = await runCapstan(['run', '--repo', scenario.checkout, '--json', 'make the failing tests pass'], {
    home: scenario.home,
  });
  const end = lastEvent(first, 'run-end');
  const again = await runCapstan(['resume', '--json', String(end.sessionId)], { home: scenario.home });
  assert.equal(again.exitCode, 0);
  assert.deepEqual(lastEvent(again, 'run-end').verification, end.verification);
  assert.equal(again.events.length, first.events.length, 'no row was added');
});
