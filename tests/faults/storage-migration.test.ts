import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { restoreVersion } from '../../packages/storage/src/migrations/testing/restore-version.ts';
import { filesScenario } from '../scenarios/support/checkouts.ts';
import { needsSandbox } from '../scenarios/support/needs-sandbox.ts';
import { lastEvent, runCapstan } from '../scenarios/support/run-capstan.ts';
import { prepareRun } from './broken-run.ts';
import { needsSmallDisk, smallDisk } from './small-disk.ts';
import { sumRepository } from './sum-repository.ts';

test('F7 S1: a migration without room on the disk changes nothing, says how much it needs, and works later', {
  skip: needsSmallDisk.skip,
}, async (t) => {
  const scenario = filesScenario(t, { 'a.txt': 'a\n' });
  const home = join(scenario.home, 'state');
  const earlier = join(scenario.base, 'earlier');
  restoreVersion(1, earlier);
  const disk = await smallDisk(t, home);
  const [command = '', ...rest] = [...disk.launcher, 'cp', '-a', `${earlier}/.`, home];
  assert.equal(spawnSync(command, rest).status, 0);
  disk.leave(100);
  const list = () => runCapstan(['sessions', '--all'], { home: scenario.home, launcher: disk.launcher });
  const refused = await list();
  assert.equal(refused.exitCode, 4, refused.stdout + refused.stderr);
  assert.match(
    refused.stderr,
    /has to be migrated, and .* has too little room: \S+ (kB|bytes) are free, \S+ kB needed/,
  );
  assert.match(refused.stderr, /Nothing was changed/);
  disk.clear();
  const listed = await list();
  assert.equal(listed.exitCode, 0, listed.stderr);
  assert.match(
    listed.stderr,
    /The database was brought to version \d+: .* A copy of how it was stays until the next start/,
  );
  const audit = await runCapstan(['audit', 'verify'], { home: scenario.home, launcher: disk.launcher });
  assert.match(audit.stdout, /complete and unchanged: 33 rows/);
});

test(
  'S1 S3: a run that was killed under version 1 goes on after the migration, to the same end',
  needsSandbox,
  async (t) => {
    const run = await prepareRun(t, 'model');
    const hook = new URL('./kill-at-event.mjs', import.meta.url).pathname;
    const killed = await run.start({ nodeArguments: ['--import', hook], environment: { KILL_AT: 'after:30' } });
    assert.equal(killed.signal, 'SIGKILL', killed.stderr);
    toVersion1(join(run.scenario.home, 'state', 'capstan.db'));
    const resumed = await run.resume();
    assert.match(resumed.stderr, /The database was brought to version 2/);
    assert.equal(resumed.exitCode, 0, resumed.stdout.slice(-2000) + resumed.stderr);
    assert.match(String(lastEvent(resumed, 'diff-ready').diff), /\+ {2}return a \+ b;/);
    assert.equal(run.account(resumed).modelRequests, 4, 'no request was made twice');
  },
);

test(
  'S1 A12: a session that waits under version 1 is answered and goes on after the migration',
  needsSandbox,
  async (t) => {
    const scenario = filesScenario(t, sumRepository());
    const capstan = (...args: string[]) => runCapstan(args, { home: scenario.home });
    const task = 'make the failing tests pass';
    const waiting = await capstan('run', '--repo', scenario.checkout, '--strict', '--json', task);
    assert.equal(waiting.exitCode, 3, waiting.stdout.slice(-2000) + waiting.stderr);
    const session = String(lastEvent(waiting, 'run-end').sessionId);
    const question = lastEvent(waiting, 'approval-request');
    toVersion1(join(scenario.home, 'state', 'capstan.db'));
    const answered = await capstan('approve', session, String(question.callId), '--resume');
    assert.match(answered.stderr, /The database was brought to version 2/);
    const trace = await capstan('trace', session, '--json');
    assert.match(trace.stdout, /approval/, answered.stdout + answered.stderr);
    const database = new DatabaseSync(join(scenario.home, 'state', 'capstan.db'), { readOnly: true });
    const row = database.prepare('SELECT status FROM approvals WHERE call_id = ?').get(String(question.callId));
    const done = database
      .prepare("SELECT count(*) AS calls FROM journal WHERE kind = 'call' AND result IS NOT NULL")
      .get();
    database.close();
    assert.equal(row?.status, 'used', answered.stdout + answered.stderr);
    assert.ok(Number(done?.calls) > 1, 'the call that was asked about was made');
  },
);

/** The tables as version 1 had them. */
function toVersion1(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`DROP TABLE blob_uses;
    ALTER TABLE sessions DROP COLUMN last_used_at;
    ALTER TABLE sessions DROP COLUMN archived_at;
    PRAGMA user_version = 1`);
  database.close();
}
