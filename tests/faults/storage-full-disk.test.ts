import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startScriptedModel } from '@capstan/models';
import { filesScenario, folderDigest } from '../scenarios/support/checkouts.ts';
import { needsSandbox } from '../scenarios/support/needs-sandbox.ts';
import { processesNaming, untilNone } from '../scenarios/support/processes.ts';
import { type Finished, installation, lastEvent, runCapstan } from '../scenarios/support/run-capstan.ts';
import { needsSmallDisk, smallDisk } from './small-disk.ts';
import { sumRepository } from './sum-repository.ts';

const options = { skip: needsSmallDisk.skip || needsSandbox.skip };
const notes = Array.from({ length: 900 }, (_, line) => `note ${line}: nothing that helps`).join('\n');

/** Where the small disk is mounted in the data folder, and what is left free when the run starts, in kilobytes. */
const places: Readonly<Record<string, readonly number[]>> = {
  '.': [0, 190, 450, 700],
  worktrees: [0, 90, 110],
  blobs: [0],
};

for (const [place, sizes] of Object.entries(places)) {
  for (const kilobytes of sizes) {
    test(
      `F7 S3: ${place} with ${kilobytes} kB free: one sentence, nothing lost, the same end when there is space`,
      options,
      (t) => fillUp(t, place, kilobytes),
    );
  }
}

async function fillUp(t: TestContext, place: string, kilobytes: number): Promise<void> {
  const scenario = filesScenario(t, { ...sumRepository(), 'notes.txt': notes });
  const script = join(installation, 'tests', 'faults', 'read-and-fix-sum.mjs');
  const model = await startScriptedModel({ script, ledger: join(scenario.base, 'requests.jsonl') });
  t.after(() => model.stop());
  const home = join(scenario.home, 'state');
  const disk = await smallDisk(t, join(home, place));
  disk.leave(kilobytes);
  const before = folderDigest(scenario.checkout);
  const environment = { OPENAI_BASE_URL: model.url };
  const capstan = (...args: string[]) =>
    runCapstan(args, { home: scenario.home, environment, launcher: disk.launcher });
  const start = () =>
    capstan('run', '--repo', scenario.checkout, '--model', 'scripted', '--json', 'make the failing tests pass');

  const stopped = await start();
  const session = stopped.events.find((event) => typeof event.session === 'string')?.session;
  t.diagnostic(`exit ${stopped.exitCode} after ${stopped.events.length} events`);
  if (stopped.exitCode !== 0) saysThatTheDiskIsFull(stopped, join(home, place));
  else assert.ok(kilobytes > 100, 'the run needs more than that');
  assert.equal(folderDigest(scenario.checkout), before, 'the checkout is untouched');

  disk.clear();
  const resumed = await (session === undefined ? start() : capstan('resume', '--json', session as string));
  assert.equal(resumed.exitCode, 0, resumed.stdout.slice(-2000) + resumed.stderr);
  assert.match(String(lastEvent(resumed, 'diff-ready').diff), /\+ {2}return a \+ b;/);
  const audit = await capstan('audit', 'verify');
  assert.equal(audit.exitCode, 0, audit.stderr);
  const doctor = await capstan('doctor', '--json');
  assert.match(doctor.stdout, /"part":"data folder","state":"works"/);
  assert.equal(existsSync(join(scenario.checkout, 'ballast')), false);
  await model.stop();
  assert.deepEqual(await untilNone(() => processesNaming(scenario.checkout)), []);
}

function saysThatTheDiskIsFull({ exitCode, stdout, stderr, events }: Finished, place: string): void {
  const shown = `${stdout.slice(-2000)}\n${stderr}`;
  assert.equal(exitCode, 4, shown);
  const failure = events.at(-1)?.failure as { message: string; hint: string } | undefined;
  assert.match(failure?.message ?? '', /^The disk is full \([\d.]+ (bytes|kB) free\): /, shown);
  assert.ok(failure?.message.includes(place), shown);
  assert.match(failure?.hint ?? '', /Free some space/);
  assert.doesNotMatch(shown, /^\s+at .*:\d+:\d+/m, 'no stack trace');
}
