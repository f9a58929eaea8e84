import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { CapstanError } from '@capstan/contracts';
import { handClock, openTemporary, sampleTask, takeLease } from '../testing.ts';
import type { Retention } from './retention.ts';
import { large, makeSession } from './testing/make-session.ts';

const day = 24 * 60 * 60_000;
const retention: Retention = {
  endedMilliseconds: 7 * day,
  unappliedMilliseconds: 30 * day,
  maximumSessions: 1000,
  maximumBytes: Number.MAX_SAFE_INTEGER,
};

/** A data folder at the present time, which the test moves on. */
function opened(t: TestContext) {
  const clock = handClock(Date.now());
  return { ...openTemporary(t, { clock }), clock };
}

function names(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

function blobs(home: string): string[] {
  return names(join(home, 'blobs')).flatMap((shelf) => names(join(home, 'blobs', shelf)));
}

function rowsOf(home: string, sessionId: string): Record<string, number> {
  const database = new DatabaseSync(join(home, 'capstan.db'), { readOnly: true });
  const count = (table: string, where: string) =>
    Number(database.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${where}`).get(sessionId)?.n);
  const bySession = ['events', 'journal', 'approvals', 'grants', 'blob_uses', 'audit', 'runs', 'sessions'];
  const rows = Object.fromEntries(bySession.map((table) => [table, count(table, 'session_id = ?')]));
  const threads = 'thread_id IN (SELECT run_id FROM runs WHERE session_id = ?)';
  for (const table of ['checkpoints', 'channel_values']) rows[table] = count(table, threads);
  database.close();
  return rows;
}

test('O2: an old session is archived, all that it owned goes, its audit rows stay and verify, and its log can still be read', async (t) => {
  const { storage, home, clock } = opened(t);
  await makeSession(storage, home, 's-1', 'done', true);
  const before = await storage.readEvents('s-1');
  clock.time += 8 * day;
  const report = await storage.collectGarbage({ retention, dryRun: false });
  assert.deepEqual(
    report.removed.map(({ sessionId }) => sessionId),
    ['s-1'],
  );
  assert.ok(report.bytes > 60_000 && report.after < report.before, JSON.stringify(report));
  assert.deepEqual(names(join(home, 'worktrees')), []);
  assert.deepEqual(blobs(home), []);
  assert.equal(report.blobs.count, 1);
  assert.deepEqual(rowsOf(home, 's-1'), {
    events: 0,
    journal: 0,
    approvals: 0,
    grants: 0,
    blob_uses: 0,
    audit: 1,
    runs: 1,
    sessions: 1,
    checkpoints: 0,
    channel_values: 0,
  });
  assert.deepEqual(await storage.verifyAudit(), { ok: true, rows: 1 });
  assert.deepEqual(await storage.readEvents('s-1'), before);
  assert.deepEqual(await storage.readEvents('s-1', 2), before.slice(2));
  const archive = await storage.readArchive('s-1');
  assert.deepEqual(archive?.events, before);
  assert.equal(archive?.session.sessionId, 's-1');
  assert.deepEqual(
    archive?.runs.map((run) => run.task),
    [sampleTask],
  );
  const file = join(home, 'archive', 's-1.jsonl.gz');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.ok(statSync(file).size < 3000, 'it is compressed');
  assert.equal((await storage.findSession('s-1'))?.status, 'closed');
  await assert.rejects(
    takeLease(storage, 's-1'),
    (error: unknown) => error instanceof CapstanError && error.code === 'workspace-lost',
  );
  const again = await storage.collectGarbage({ retention, dryRun: false });
  assert.deepEqual([again.removed, again.bytes], [[], 0]);
});

test('a dry run says the same and changes nothing', async (t) => {
  const { storage, home, clock } = opened(t);
  await makeSession(storage, home, 's-1', 'done', true);
  await makeSession(storage, home, 's-2', 'done');
  clock.time += 8 * day;
  const dry = await storage.collectGarbage({ retention, dryRun: true });
  assert.equal((await storage.readEvents('s-1')).length, 3);
  assert.deepEqual(names(join(home, 'worktrees')), ['s-1', 's-2']);
  assert.equal(existsSync(join(home, 'archive')), false);
  const real = await storage.collectGarbage({ retention, dryRun: false });
  for (const key of ['removed', 'kept', 'blobs', 'leftovers', 'bytes'] as const)
    assert.deepEqual(dry[key], real[key], key);
  assert.deepEqual(
    real.removed.map(({ sessionId }) => sessionId),
    ['s-1'],
  );
  assert.deepEqual(
    real.kept.map(({ sessionId }) => sessionId),
    ['s-2'],
  );
});

test('sessions that run, wait for a person or have an unapplied diff are never touched', async (t) => {
  const { storage, home, clock } = opened(t);
  await makeSession(storage, home, 's-waits', 'waiting');
  await makeSession(storage, home, 's-unapplied', 'done');
  await makeSession(storage, home, 's-runs', 'done', true);
  clock.time += 20 * day;
  await storage.acquireLease('s-runs', 'holder-2', 60_000);
  const all = ['s-runs', 's-unapplied', 's-waits'];
  const tight = { ...retention, endedMilliseconds: 0, maximumBytes: 0, maximumSessions: 0 };
  const report = await storage.collectGarbage({ retention: tight, dryRun: false });
  assert.deepEqual(report.removed, []);
  assert.deepEqual(report.kept.map(({ sessionId }) => sessionId).sort(), all);
  assert.deepEqual(names(join(home, 'worktrees')), all);
  for (const sessionId of all) assert.equal((await storage.readEvents(sessionId)).length, 3);
  assert.equal(report.blobs.count, 0);
});

test('a question that expired keeps nothing for ever, though nobody came by to say so', async (t) => {
  const { storage, home, clock } = opened(t);
  await makeSession(storage, home, 's-asked', 'waiting');
  clock.time = Date.UTC(9000, 0) - day;
  assert.deepEqual((await storage.collectGarbage({ retention, dryRun: false })).removed, []);
  clock.time = Date.UTC(9000, 0) + day;
  const report = await storage.collectGarbage({ retention, dryRun: false });
  assert.deepEqual(
    report.removed.map(({ sessionId }) => sessionId),
    ['s-asked'],
  );
});

test('a diff that a person applied later counts as applied', async (t) => {
  const { storage, home, clock } = opened(t);
  await makeSession(storage, home, 's-1', 'done');
  const lease = await takeLease(storage);
  await storage.session(lease).events.append('diff-apply:tree', { type: 'diff-apply', files: ['a.js'] });
  await storage.releaseLease(lease);
  clock.time += 8 * day;
  const report = await storage.collectGarbage({ retention, dryRun: false });
  assert.match(report.removed[0]?.reason ?? '', /^applied, last used 8 days ago/);
});

test('a blob that another session still needs stays; one that is put again meanwhile stays too', async (t) => {
  const { storage, home, clock } = opened(t);
  await makeSession(storage, home, 's-1', 'done', true);
  clock.time += 8 * day;
  const shared = await storage.blobs.put(
    Buffer.from(JSON.stringify({ type: 'attempt-fail', attempt: 1, reason: `s-1 ${large}` })),
  );
  const lease = await takeLease(storage, 's-2');
  await storage.session(lease).events.append('big', { type: 'attempt-fail', attempt: 1, reason: `s-1 ${large}` });
  const link = await storage.blobs.put(Buffer.from('the whole of a long result'));
  await storage
    .session(lease)
    .events.append('link', { type: 'attempt-fail', attempt: 1, reason: `see capstan-blob:${link}` });
  const inFlight = await storage.blobs.put(Buffer.from('no row refers to it yet'));
  await storage.collectGarbage({ retention, dryRun: false });
  assert.deepEqual(blobs(home).sort(), [shared, link, inFlight].sort());
  await storage.releaseLease(lease);
  clock.time += 2000;
  const report = await storage.collectGarbage({ retention, dryRun: false });
  assert.deepEqual(blobs(home).sort(), [shared, link].sort(), 'nobody runs: what no row refers to is left over');
  assert.equal(report.blobs.count, 1);
});

test('what no session owns is found: orphaned workspaces when they are old, half-written files, removals that were cut off', async (t) => {
  const { storage, home, clock } = opened(t);
  const worktrees = join(home, 'worktrees');
  const orphan = (name: string, whole: boolean) => {
    mkdirSync(join(worktrees, name, 'tree'), { recursive: true });
    if (whole) writeFileSync(join(worktrees, name, 'workspace.json'), '{}');
  };
  orphan('session-whole', true);
  orphan('session-half', false);
  orphan('.removing-session-x', true);
  orphan('something-else', true);
  mkdirSync(join(home, 'blobs', 'aa'), { recursive: true });
  writeFileSync(join(home, 'blobs', 'aa', `.${'0'.repeat(16)}.tmp`), 'half');
  writeFileSync(join(home, `.audit-key-${'0'.repeat(16)}.tmp`), 'half');
  const collect = async (days: number) => {
    clock.time += days * day;
    await storage.collectGarbage({ retention, dryRun: false });
    return names(worktrees);
  };
  assert.deepEqual(await collect(0.5), ['session-half', 'session-whole', 'something-else']);
  assert.deepEqual(await collect(1), ['session-whole', 'something-else']);
  assert.deepEqual(blobs(home), []);
  assert.deepEqual(
    names(home).filter((name) => name.endsWith('.tmp')),
    [],
  );
  assert.deepEqual(await collect(20), ['session-whole', 'something-else'], 'it may hold a diff');
  assert.deepEqual(await collect(10), ['something-else']);
});

test('F7: a clock that was set forward and back again does not make sessions live forever', async (t) => {
  const { storage, home, clock } = opened(t);
  clock.time += 1000 * day;
  await makeSession(storage, home, 's-1', 'done', true);
  clock.time -= 1000 * day;
  assert.deepEqual((await storage.collectGarbage({ retention, dryRun: false })).removed, []);
  clock.time += 8 * day;
  assert.equal((await storage.collectGarbage({ retention, dryRun: false })).removed.length, 1);
});

test('a missing blob is said in the archive and stops nothing', async (t) => {
  const { storage, home, clock } = opened(t);
  await makeSession(storage, home, 's-1', 'done', true);
  const [name = ''] = blobs(home);
  writeFileSync(join(home, 'blobs', name.slice(0, 2), name), 'altered');
  clock.time += 8 * day;
  await storage.collectGarbage({ retention, dryRun: false });
  const archive = await storage.readArchive('s-1');
  assert.deepEqual(
    archive?.events.map(({ body }) => body.type),
    ['run-start', 'blob-miss', 'run-end'],
  );
});

test('the database gives its room back to the disk when nobody runs', async (t) => {
  const { storage, home, clock } = opened(t);
  const lease = await takeLease(storage, 's-1');
  const session = storage.session(lease);
  for (let index = 0; index < 400; index += 1)
    await session.events.append(`e-${index}`, { type: 'attempt-fail', attempt: 1, reason: 'x'.repeat(7000) });
  await storage.releaseLease(lease);
  utimesSync(join(home, 'capstan.db'), 0, 0);
  clock.time += 31 * day;
  const report = await storage.collectGarbage({ retention, dryRun: false });
  assert.ok(report.databaseBefore > 2_000_000 && report.databaseAfter < 500_000, JSON.stringify(report));
  assert.equal((await storage.readEvents('s-1')).length, 400);
});
