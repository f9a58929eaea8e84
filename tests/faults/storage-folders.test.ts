import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { filesScenario, folderDigest } from '../scenarios/support/checkouts.ts';
import { type Finished, runCapstan } from '../scenarios/support/run-capstan.ts';
import { needsSmallDisk, smallDisk } from './small-disk.ts';
import { sumRepository } from './sum-repository.ts';

const isRoot = process.getuid?.() === 0;

function prepare(t: TestContext) {
  const scenario = filesScenario(t, sumRepository());
  const home = join(scenario.home, 'state');
  const task = ['run', '--repo', scenario.checkout, 'make the failing tests pass'];
  return { scenario, home, task };
}

/** Exit 4 and two lines: what is wrong with which folder, and what to do. */
function saysIt({ exitCode, stdout, stderr }: Finished, message: RegExp): void {
  assert.equal(exitCode, 4, stdout + stderr);
  assert.match(stderr, message);
  assert.match(stderr, /CAPSTAN_HOME/);
  assert.equal(stderr.trimEnd().split('\n').length, 2, stderr);
}

test('F7: a data folder on a read-only disk is said in one sentence', { skip: needsSmallDisk.skip }, async (t) => {
  const { scenario, home, task } = prepare(t);
  const disk = await smallDisk(t, home);
  const launcher = [...disk.launcher, 'sh', '-c', 'mount -o remount,ro,bind "$1" && shift && exec "$@"', 'sh', home];
  const finished = await runCapstan(task, { home: scenario.home, launcher });
  saysIt(finished, /(read-only|cannot be opened): .*state/);
  const again = await runCapstan(['gc'], { home: scenario.home, launcher: disk.launcher });
  saysIt(again, /(read-only|cannot be opened): .*state/);
});

test('F7: a data folder that may not be written is said in one sentence', {
  skip: isRoot && 'root may write everywhere',
}, async (t) => {
  const { scenario, home, task } = prepare(t);
  mkdirSync(home);
  chmodSync(home, 0o500);
  try {
    saysIt(await runCapstan(task, { home: scenario.home }), /(may not do that|cannot be opened): .*state/);
  } finally {
    chmodSync(home, 0o700);
  }
});

test("F7: somebody else's data folder is refused, and nothing is written into it", async (t) => {
  const { scenario, home, task } = prepare(t);
  const foreign = isRoot ? home : '/usr';
  if (isRoot) {
    mkdirSync(home);
    chownSync(home, 65534, 65534);
  }
  const before = isRoot ? folderDigest(foreign) : '';
  const finished = await runCapstan(task, { home: scenario.home, environment: { CAPSTAN_HOME: foreign } });
  saysIt(finished, /The data folder belongs to user \d+, and this is user \d+: /);
  if (isRoot) assert.equal(folderDigest(foreign), before);
});

test('F7: a data folder below a file, or in a folder that is not ours to write, is said in one sentence', async (t) => {
  const { scenario, task } = prepare(t);
  scenario.write('file', 'x');
  const below = join(scenario.checkout, 'file', 'state');
  const finished = await runCapstan(task, { home: scenario.home, environment: { CAPSTAN_HOME: below } });
  saysIt(finished, /The data folder is not a folder: .*file/);
});
