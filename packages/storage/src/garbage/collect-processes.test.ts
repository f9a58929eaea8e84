import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runStepProcess } from '../testing/run-step-process.ts';
import { openTemporary, temporaryHome } from '../testing.ts';
import { makeSession } from './testing/make-session.ts';

const sessions = ['s-1', 's-2', 's-3'];

/** A folder with sessions that may all go, and an hour later. */
async function filledHome(t: TestContext, ids = sessions): Promise<string> {
  const home = temporaryHome(t);
  const clock = { now: () => Date.now() - 60 * 60_000 };
  const { storage } = openTemporary(t, { home, clock });
  for (const sessionId of ids) await makeSession(storage, home, sessionId, 'done', true);
  storage.close();
  return home;
}

function filesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
}

async function assertAllGone(t: TestContext, home: string, step: string): Promise<void> {
  const { storage } = openTemporary(t, { home });
  for (const sessionId of sessions) {
    assert.equal((await storage.readEvents(sessionId)).length, 3, `${step}: the log of ${sessionId} can be read`);
    assert.equal((await storage.findSession(sessionId))?.status, 'closed', step);
    assert.equal((await storage.readArchive(sessionId))?.events.length, 3, step);
  }
  assert.deepEqual(await storage.verifyAudit(), { ok: true, rows: 3 });
  assert.deepEqual(filesIn(join(home, 'worktrees')), [], step);
  const blobs = filesIn(join(home, 'blobs')).filter((name) => name.includes('/'));
  assert.deepEqual(blobs, [], step);
  storage.close();
}

test('S3: kill -9 at any step of a collection loses no log, and the next collection finishes it', async (t) => {
  const ends: unknown[] = [];
  for (let killAt = 1; ends.at(-1) !== 0; killAt += 11) {
    assert.ok(killAt < 1000, 'a collection comes to an end');
    const home = await filledHome(t);
    const killed = await runStepProcess([home, 'collect', 'x', '0'], killAt);
    ends.push(killed.end);
    const { storage } = openTemporary(t, { home });
    for (const sessionId of sessions) assert.equal((await storage.readEvents(sessionId)).length, 3, `step ${killAt}`);
    storage.close();
    assert.equal((await runStepProcess([home, 'collect', 'x', '0'])).end, 0);
    await assertAllGone(t, home, `step ${killAt}`);
  }
  assert.ok(ends.filter((end) => end === 'SIGKILL').length >= 5, JSON.stringify(ends));
});

test('S1: two collections at once, beside a process that writes blobs and events: each session goes once, nothing else is lost', async (t) => {
  const home = await filledHome(t);
  const writer = runStepProcess([home, 'own', 'writer', '60']);
  const collections = await Promise.all([1, 2, 3].map(() => runStepProcess([home, 'collect', 'x', '0'])));
  assert.deepEqual(
    collections.map(({ end }) => end),
    [0, 0, 0],
  );
  const removed = collections.flatMap(({ output }) =>
    output.split('\n').filter((line) => line.startsWith('removed s-')),
  );
  assert.deepEqual(
    removed.sort(),
    sessions.map((sessionId) => `removed ${sessionId}`),
  );
  assert.equal((await writer).end, 0);
  const { storage } = openTemporary(t, { home });
  const events = await storage.readEvents('writer');
  assert.equal(events.length, 60);
  assert.ok(
    events.every(({ body }) => body.type === 'attempt-fail'),
    'no blob was taken from under it',
  );
  assert.deepEqual(await storage.findDamage(), []);
  assert.equal((await storage.verifyAudit()).ok, true);
});
