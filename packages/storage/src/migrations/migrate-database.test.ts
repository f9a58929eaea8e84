import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { CapstanError } from '@capstan/contracts';
import { Database } from '../database.ts';
import { processHolder } from '../process-holder.ts';
import { openTemporary, temporaryHome } from '../testing.ts';
import { backupFile } from './database-backup.ts';
import { migrateDatabase } from './migrate-database.ts';
import type { Migration } from './migration.ts';
import { migrations } from './migrations.ts';
import { schemaVersion } from './schema.ts';
import { schemaDifference } from './schema-difference.ts';
import { restoreVersion } from './testing/restore-version.ts';

type Rows = Record<string, unknown>[];

function earlierHome(t: TestContext, version = 1): { home: string; file: string } {
  const home = temporaryHome(t);
  restoreVersion(version, home);
  return { home, file: join(home, 'capstan.db') };
}

/** Every row of every table, with these columns only. */
function rowsOf(
  file: string,
  columns?: Map<string, string[]>,
): { rows: Map<string, Rows>; columns: Map<string, string[]> } {
  const database = new DatabaseSync(file, { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const names = new Map(
    tables.map(({ name }) => {
      const table = String(name);
      const info = database.prepare(`PRAGMA table_info(${table})`).all();
      return [table, info.map((column) => String(column.name))];
    }),
  );
  const chosen = columns ?? names;
  const rows = new Map(
    [...chosen].map(([table, list]) => [
      table,
      database.prepare(`SELECT ${list.join(', ')} FROM ${table}`).all() as Rows,
    ]),
  );
  database.close();
  return { rows, columns: names };
}

test('every version from 1 on has a migration to the next, and the last leads to the present one', () => {
  assert.deepEqual(
    migrations.map(({ to }) => to),
    Array.from({ length: schemaVersion - 1 }, (_, index) => index + 2),
  );
});

for (let version = 1; version < schemaVersion; version += 1) {
  test(`S1: a data folder of version ${version} reads the same after its migration, and its audit trail verifies`, async (t) => {
    const { home, file } = earlierHome(t, version);
    const before = rowsOf(file);
    assert.ok([...before.rows.values()].flat().length > 200, 'the folder has real content');
    const notices: string[] = [];
    const { storage } = openTemporary(t, { home, notice: (sentence) => notices.push(sentence) });
    assert.deepEqual(rowsOf(file, before.columns).rows, before.rows, 'no row was lost or changed');
    assert.deepEqual(await storage.verifyAudit(), { ok: true, rows: before.rows.get('audit')?.length });
    for (const { sessionId } of await storage.listSessions()) {
      const stored = before.rows.get('events')?.filter((row) => row.session_id === sessionId) ?? [];
      const events = await storage.readEvents(sessionId);
      assert.deepEqual(
        events.map(({ number, at }) => ({ number, at })),
        stored.map(({ number, at }) => ({ number, at })),
      );
      for (const [index, row] of stored.entries()) {
        if (typeof row.body === 'string') assert.deepEqual(events[index]?.body, JSON.parse(row.body));
        else assert.notEqual(events[index]?.body.type, 'blob-miss');
      }
    }
    assert.match(notices.join(), new RegExp(`version ${schemaVersion}.*${backupFile(file, version)} \\(\\d+ bytes\\)`));
    assert.deepEqual(await storage.findDamage(), []);
  });
}

test('S1: a waiting session of version 1 can be answered and driven on: lease, question, checkpoint, journal', async (t) => {
  const { home } = earlierHome(t);
  const { storage, clock } = openTemporary(t, { home });
  const [session] = (
    await Promise.all((await storage.listSessions()).map((row) => storage.latestRun(row.sessionId)))
  ).filter((run) => run?.status === 'waiting');
  assert.ok(session);
  clock.time = session.createdAt + 60_000;
  const lease = await storage.acquireLease(session.sessionId, 'holder-1', 60_000);
  assert.ok(lease);
  const own = storage.session(lease);
  const [question] = await own.approvals.waiting();
  assert.ok(question);
  const { sessionId, callId, argumentDigest } = question;
  assert.equal(
    (await storage.decideApproval(sessionId, callId, argumentDigest, 'approved', 'ada'))?.approval.status,
    'approved',
  );
  assert.equal(await own.approvals.consume(callId, argumentDigest), true);
  const saver = await storage.checkpointer(lease);
  const saved = await saver.getTuple({ configurable: { thread_id: session.runId } });
  assert.ok(saved && saved.pendingWrites !== undefined && saved.pendingWrites.length > 0, 'the interrupt is there');
  const events = await own.events.read();
  assert.equal(
    (await own.events.append('next', { type: 'attempt-fail', attempt: 1, reason: 'x' })).number,
    events.length + 1,
  );
});

test('version 2 knows when each session was last used, and every blob that it refers to', (t) => {
  const { home, file } = earlierHome(t);
  openTemporary(t, { home }).storage.close();
  const database = new DatabaseSync(file, { readOnly: true });
  t.after(() => database.close());
  const sessions = database
    .prepare(
      'SELECT last_used_at, (SELECT max(at) FROM events WHERE events.session_id = sessions.session_id) AS last FROM sessions',
    )
    .all();
  assert.equal(sessions.length, 3);
  for (const row of sessions) assert.equal(row.last_used_at, row.last);
  const used = new Set(
    database
      .prepare('SELECT sha256 FROM blob_uses')
      .all()
      .map((row) => String(row.sha256)),
  );
  const blobs = readdirSync(join(home, 'blobs'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.length > 60,
  );
  assert.deepEqual([...used].sort(), blobs.map((name) => name.slice(3)).sort(), 'also the blob that only a blob names');
});

test('the backup is the database as it was, private, and goes at the start after the next one', async (t) => {
  const { home, file } = earlierHome(t);
  const before = rowsOf(file).rows;
  openTemporary(t, { home }).storage.close();
  const backup = backupFile(file, 1);
  assert.equal(statSync(backup).mode & 0o777, 0o600);
  assert.deepEqual(rowsOf(backup).rows, before);
  openTemporary(t, { home }).storage.close();
  assert.equal(existsSync(backup), false, 'that start needed no migration: the database is good');
});

/** Runs these steps on a database of version 1 that is opened by hand. */
function migrate(t: TestContext, file: string, steps?: readonly Migration[]): Database {
  const connection = new DatabaseSync(file, { enableForeignKeyConstraints: true });
  const database = new Database(connection, file);
  t.after(() => database.close());
  const options = { file, clock: Date, notice: () => {}, blobText: () => undefined };
  migrateDatabase(database, steps === undefined ? options : { ...options, steps });
  return database;
}

const faults: Record<string, { apply: Migration['apply']; message: RegExp }> = {
  'throws half way': {
    apply: (database) => {
      database.execute('ALTER TABLE sessions ADD COLUMN last_used_at INTEGER');
      throw new Error('half way');
    },
    message: /half way/,
  },
  'leaves a reference to what is not there': {
    apply: (database) => {
      // Deferred, as a table that is made anew is: only the check at the end sees it.
      database.execute('PRAGMA defer_foreign_keys = ON');
      database.run("UPDATE runs SET session_id = 'nowhere'");
    },
    message: /refers to what is not there/,
  },
  'leads to another schema than that of a new database': {
    apply: (database) => database.execute('ALTER TABLE sessions ADD COLUMN last_used_at INTEGER'),
    message: /is not as in a new database/,
  },
};

for (const [name, { apply, message }] of Object.entries(faults)) {
  test(`a migration that ${name} changes nothing`, (t) => {
    const { file } = earlierHome(t);
    const before = rowsOf(file);
    assert.throws(() => migrate(t, file, [{ to: schemaVersion, purpose: 'fails', apply }]), message);
    const after = rowsOf(file);
    assert.deepEqual(after, before);
    assert.equal(new DatabaseSync(file, { readOnly: true }).prepare('PRAGMA user_version').get()?.user_version, 1);
    assert.equal(schemaDifference(migrate(t, file)), undefined, 'and the right one can follow');
  });
}

test('an earlier Capstan that still drives a session is not migrated under its feet', (t) => {
  const { home, file } = earlierHome(t);
  const database = new DatabaseSync(file);
  database
    .prepare('UPDATE leases SET holder = ?, expires_at = 0 WHERE session_id = (SELECT min(session_id) FROM sessions)')
    .run(processHolder());
  const bytes = readFileSync(file);
  assert.throws(
    () => openTemporary(t, { home }),
    (error: unknown) =>
      error instanceof CapstanError &&
      /An earlier Capstan is running session/.test(error.message) &&
      /Nothing was changed/.test(error.hint ?? ''),
  );
  assert.deepEqual(readFileSync(file), bytes);
  database.prepare('UPDATE leases SET holder = NULL').run();
  database.close();
  openTemporary(t, { home });
});
