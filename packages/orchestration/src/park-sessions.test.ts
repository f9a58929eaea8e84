import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { openStorage } from '@capstan/storage';
import { SessionWorkspace } from '@capstan/workspace';
import { parkSessions } from './park-sessions.ts';
import { parseTask } from './run-request.ts';

const really = { dryRun: false };
const searchPath = process.env.PATH ?? '';

/** A data folder, and a checkout without git. */
function place(t: TestContext) {
  const base = mkdtempSync(join(tmpdir(), 'capstan-park-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const repository = join(base, 'checkout');
  mkdirSync(repository);
  writeFileSync(join(repository, 'a.txt'), 'one\n');
  let ids = 0;
  let time = Date.now();
  const storage = openStorage({
    home: join(base, 'home'),
    clock: { now: () => time++ },
    ids: { next: (prefix) => `${prefix}-${ids++}` },
    redact: (text) => text,
  });
  t.after(() => storage.close());
  const deps = { storage, holder: 'test', searchPath, signal: new AbortController().signal };
  const session = async (status: 'ended' | 'waiting') => {
    const row = await storage.createSession({ repository });
    const lease = await storage.acquireLease(row.sessionId, 'test', 60_000);
    assert.ok(lease);
    const task = parseTask({ repository, text: 'make the failing tests pass' }, repository);
    const run = await storage.createRun(row.sessionId, task, lease);
    await storage.updateRun(lease, run.runId, { status, exitCode: 0 });
    const workspace = await SessionWorkspace.open({ repository, folder: row.workspace, searchPath });
    writeFileSync(join(workspace.root, 'a.txt'), 'two\n');
    return { sessionId: row.sessionId, workspace, lease };
  };
  const lastUsed = (sessionId: string) => {
    const database = new DatabaseSync(join(base, 'home', 'capstan.db'), { readOnly: true });
    try {
      return database.prepare('SELECT last_used_at FROM sessions WHERE session_id = ?').get(sessionId);
    } finally {
      database.close();
    }
  };
  return { storage, deps, session, lastUsed };
}

test('S3: sessions that ended give their copies back and can be shown; those that wait or run keep them', async (t) => {
  const { storage, deps, session, lastUsed } = place(t);
  const [ended, waiting, held] = [await session('ended'), await session('waiting'), await session('ended')];
  for (const { lease } of [ended, waiting]) await storage.releaseLease(lease);
  const all = [ended, waiting, held].map(({ sessionId }) => sessionId);
  const other = { ...deps, holder: 'another' };
  const used = lastUsed(ended.sessionId);
  assert.equal(await parkSessions([...all, 'session-nowhere'], other, { dryRun: true }), 1);
  assert.deepEqual(readdirSync(ended.workspace.root), ['a.txt'], 'only said');
  assert.equal(await parkSessions([...all, 'session-nowhere'], other, really), 1);
  assert.deepEqual(lastUsed(ended.sessionId), used, 'to be parked is no use');
  assert.deepEqual(
    [ended, waiting, held].map(({ workspace }) => readdirSync(workspace.root)),
    [[], ['a.txt'], ['a.txt']],
  );
  const folder = ended.workspace.folder;
  const again = await SessionWorkspace.open({ repository: '/', folder, searchPath, mustExist: true });
  assert.match((await again.diff()).text, /-one\n\+two/);
  assert.equal(await parkSessions(all, other, really), 0, 'nothing more to give back');
  rmSync(folder, { recursive: true });
  assert.equal(await parkSessions(all, other, really), 0, 'a lost workspace stops nothing');
});
