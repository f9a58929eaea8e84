import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { runStepProcess, type StepProcess } from '../testing/run-step-process.ts';
import { openTemporary, temporaryHome } from '../testing.ts';
import { schemaVersion } from './schema.ts';
import { restoreVersion } from './testing/restore-version.ts';

/** Opens the folder in a process of its own and returns how that ended. */
function openElsewhere(home: string, killAt?: number): Promise<StepProcess> {
  return runStepProcess([home, 'open', 'x', '0'], killAt);
}

function versionOf(home: string): unknown {
  const database = new DatabaseSync(join(home, 'capstan.db'), { readOnly: true });
  try {
    return database.prepare('PRAGMA user_version').get()?.user_version;
  } finally {
    database.close();
  }
}

test('S1: several processes that start at once on a folder of version 1: one migrates, the others wait, all go on', async (t) => {
  const home = temporaryHome(t);
  restoreVersion(1, home);
  const all = await Promise.all([1, 2, 3, 4, 5].map(() => openElsewhere(home)));
  assert.deepEqual(
    all.map(({ end }) => end),
    [0, 0, 0, 0, 0],
  );
  assert.equal(new Set(all.map(({ output }) => output)).size, 1, 'all read the same key');
  assert.equal(versionOf(home), schemaVersion);
  const { storage } = openTemporary(t, { home });
  assert.deepEqual(await storage.verifyAudit(), { ok: true, rows: 33 });
  assert.deepEqual(await storage.findDamage(), []);
});

test('S3: kill -9 at any step of a migration leaves a whole version, and the next start completes it', async (t) => {
  const ends: unknown[] = [];
  for (let killAt = 1; ends.at(-1) !== 0; killAt += killAt < 12 ? 1 : 9) {
    assert.ok(killAt < 500, 'the migration comes to an end');
    const home = temporaryHome(t);
    restoreVersion(1, home);
    const killed = await openElsewhere(home, killAt);
    ends.push(killed.end);
    assert.ok([1, schemaVersion].includes(Number(versionOf(home))), `step ${killAt}`);
    const { storage } = openTemporary(t, { home });
    assert.deepEqual(await storage.verifyAudit(), { ok: true, rows: 33 }, `step ${killAt}`);
    assert.deepEqual(await storage.findDamage(), []);
    storage.close();
    openTemporary(t, { home }).storage.close();
    const left = readdirSync(home).filter((name) => name.includes('backup'));
    assert.deepEqual(left, [], `step ${killAt}: no backup is left, whole or half`);
  }
  assert.ok(ends.filter((end) => end === 'SIGKILL').length >= 10, JSON.stringify(ends));
});
