import assert from 'node:assert/strict';
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { restoreVersion } from '../../packages/storage/src/migrations/testing/restore-version.ts';
import { filesScenario, folderDigest, type Scenario } from '../scenarios/support/checkouts.ts';
import { type Finished, runCapstan } from '../scenarios/support/run-capstan.ts';

/** A data folder with three sessions of real runs, as a run leaves it. */
const cleanups: (() => void)[] = [];
let scenario: Scenario;
let original = '';

before(async () => {
  scenario = filesScenario({ after: (cleanup: () => void) => cleanups.push(cleanup) }, { 'a.txt': 'a\n' });
  original = join(scenario.base, 'original');
  restoreVersion(1, original);
  // Twice: the first start migrates, the second takes the backup away.
  for (let time = 0; time < 2; time += 1) await run(original, 'sessions', '--all');
});
after(() => {
  for (const cleanup of cleanups) cleanup();
});

function run(home: string, ...args: string[]): Promise<Finished> {
  return runCapstan(args, { home: scenario.home, environment: { CAPSTAN_HOME: home } });
}

/** A copy that a test may damage. */
function copy(name: string): { home: string; file: string } {
  const home = join(scenario.base, name.replaceAll(/\W+/g, '-'));
  cpSync(original, home, { recursive: true });
  return { home, file: join(home, 'capstan.db') };
}

function noStackTrace({ stdout, stderr }: Finished): void {
  assert.doesNotMatch(stdout + stderr, /^\s+at .*:\d+:\d+/m, stderr);
}

const refused: Readonly<Record<string, { damage: (file: string) => void; message: RegExp }>> = {
  'its first page is overwritten': {
    damage: (file) => overwrite(file, 0, 4096),
    message: /The file is not a database: .*capstan\.db/,
  },
  'it is cut off': {
    damage: (file) => truncateSync(file, 12_288),
    message: /The database is damaged: .*capstan\.db/,
  },
  'it is empty, beside workspaces': {
    damage: (file) => {
      cpSync(join(scenario.checkout), join(file, '..', 'worktrees', 'session-x'), { recursive: true });
      truncateSync(file, 0);
    },
    message: /The database is empty, though there are workspaces beside it: .*capstan\.db/,
  },
};
for (const [name, { damage, message }] of Object.entries(refused)) {
  test(`F7: a database of which ${name} is refused in one sentence with what to do, and not changed`, async () => {
    const { home, file } = copy(name);
    damage(file);
    const bytes = readFileSync(file);
    for (const args of [['sessions', '--all'], ['gc'], ['doctor']]) {
      const finished = await run(home, ...args);
      const said = args[0] === 'doctor' ? finished.stdout : finished.stderr;
      assert.equal(finished.exitCode, 4, finished.stdout + finished.stderr);
      assert.match(said, message);
      assert.match(said, /Nothing was changed\. (Bring back|Move)/);
      noStackTrace(finished);
    }
    assert.deepEqual(readFileSync(file), bytes);
  });
}

test('F7: a page that is overwritten anywhere is an error or not noticed, never a crash or a wrong write; doctor finds it', async () => {
  const { file } = copy('pages');
  const pages = readFileSync(file).length / 4096;
  let found = 0;
  for (let page = 3; page < pages; page += Math.ceil(pages / 4)) {
    const damaged = copy(`page ${page}`);
    overwrite(damaged.file, page * 4096, 4096);
    const doctor = await run(damaged.home, 'doctor', '--json');
    const part = (
      JSON.parse(doctor.stdout) as { findings: { part: string; state: string; detail: string }[] }
    ).findings.find((finding) => finding.part === 'data folder');
    if (part?.state === 'broken') {
      found += 1;
      assert.match(part.detail, /[Tt]he database is damaged/);
    }
    const audit = await run(damaged.home, 'audit', 'verify');
    assert.ok([0, 1, 4].includes(audit.exitCode ?? -1), audit.stderr);
    noStackTrace(doctor);
    noStackTrace(audit);
  }
  assert.ok(found >= 2, 'most pages are in use');
});

test('F7: garbage in the write-ahead log, or none: the database is as it was at its last checkpoint, whole', async () => {
  for (const [name, garble] of [
    ['garbage', (wal: string) => writeFileSync(wal, Buffer.alloc(50_000, 0x5a))],
    ['half garbage', (wal: string) => overwrite(wal, 40, 20_000)],
    ['no log', (wal: string) => rmSync(wal, { force: true })],
  ] as const) {
    const { home, file } = copy(name);
    leaveLog(file);
    garble(`${file}-wal`);
    const listed = await run(home, 'sessions', '--all', '--json');
    assert.equal(listed.exitCode, 0, listed.stderr);
    const audit = await run(home, 'audit', 'verify');
    assert.equal(audit.exitCode, 0, `${name}: ${audit.stderr}`);
    noStackTrace(listed);
  }
});

test('F7: missing and altered blobs: reading names them and goes on, resume fails clearly, doctor lists them', async () => {
  const { home } = copy('blobs');
  const blobs = readdirSync(join(home, 'blobs'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.length > 60,
  );
  for (const [index, name] of blobs.entries()) {
    if (index % 2 === 0) rmSync(join(home, 'blobs', name));
    else writeFileSync(join(home, 'blobs', name), 'altered');
  }
  const doctor = await run(home, 'doctor');
  assert.equal(doctor.exitCode, 4);
  assert.match(doctor.stdout, /A blob of session \S+ is missing or damaged: .*blobs/);
  const session = sessionWithBlobs(home);
  const trace = await run(home, 'trace', session);
  assert.equal(trace.exitCode, 0, trace.stderr);
  assert.match(trace.stdout, /fs-read|npm:test|run/, 'the rest is shown');
  const resumed = await run(home, 'resume', session, '--json');
  assert.equal(resumed.exitCode, 4, resumed.stdout);
  assert.match(
    resumed.stdout,
    /"message":"(An event refers to a blob that is missing|The bytes of a blob do not match its digest): /,
  );
  for (const finished of [doctor, trace, resumed]) noStackTrace(finished);
});

test('F7: a missing audit key is said, and none is made in its place', async () => {
  const { home } = copy('key');
  rmSync(join(home, 'audit.key'));
  for (const args of [['audit', 'verify'], ['gc'], ['doctor']]) {
    const finished = await run(home, ...args);
    assert.equal(finished.exitCode, 4);
    assert.match(
      finished.stdout + finished.stderr,
      /The audit key is missing: .*audit\.key[\s\S]*Bring audit\.key back from a copy/,
    );
    noStackTrace(finished);
  }
  assert.equal(existsSync(join(home, 'audit.key')), false);
});

test('F7: workspaces without any database: a new one is made, and that is said', async () => {
  const { home, file } = copy('lost');
  cpSync(join(scenario.checkout), join(home, 'worktrees', 'session-x'), { recursive: true });
  const before = folderDigest(join(home, 'worktrees'));
  rmSync(file);
  const listed = await run(home, 'sessions', '--all');
  assert.equal(listed.exitCode, 0, listed.stderr);
  assert.match(listed.stderr, /There is no database in .*, though there are workspaces: a new one is made/);
  assert.equal((await run(home, 'gc')).exitCode, 0);
  assert.equal(folderDigest(join(home, 'worktrees')), before, 'gc leaves young workspaces alone');
});

function overwrite(file: string, from: number, length: number): void {
  const bytes = readFileSync(file);
  bytes.fill(0x5a, from, Math.min(bytes.length, from + length));
  writeFileSync(file, bytes);
}

/** Leaves what the last writes changed in the write-ahead log, as a killed process does. */
function leaveLog(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(
    "PRAGMA wal_autocheckpoint = 0; UPDATE runs SET lives = lives + 1; INSERT INTO grants VALUES ((SELECT min(session_id) FROM sessions), 'g', 't', NULL, 'ada', NULL)",
  );
  for (const side of ['', '-wal']) copyFileSync(`${file}${side}`, `${file}${side}.kept`);
  database.close();
  for (const side of ['', '-wal']) copyFileSync(`${file}${side}.kept`, `${file}${side}`);
  rmSync(`${file}-shm`, { force: true });
}

function sessionWithBlobs(home: string): string {
  const database = new DatabaseSync(join(home, 'capstan.db'), { readOnly: true });
  const row = database.prepare('SELECT session_id FROM events WHERE blob IS NOT NULL').get();
  database.close();
  return String(row?.session_id);
}
