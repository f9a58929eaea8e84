import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { CapstanError } from '@capstan/contracts';
import { openTemporary, takeLease, temporaryHome } from './testing.ts';

function digestOf(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = join(folder, name);
    hash.update(name).update(existsSync(file) && !name.endsWith('/') ? readFileSync(file) : '');
  }
  return hash.digest('hex');
}

function failure(work: () => unknown): CapstanError {
  try {
    work();
  } catch (error) {
    if (error instanceof CapstanError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const strangers: Record<string, (file: string) => void> = {
  'a file that is no database': (file) => writeFileSync(file, 'not a database at all\n'.repeat(500)),
  'a database of another program': (file) => {
    const other = new DatabaseSync(file);
    other.exec('CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES (1)');
    other.close();
  },
  'a database of a later version': (file) => {
    const later = new DatabaseSync(file);
    later.exec('PRAGMA application_id = 1130459251; PRAGMA user_version = 99; CREATE TABLE sessions (later TEXT)');
    later.close();
  },
};
for (const [name, make] of Object.entries(strangers)) {
  test(`${name} is refused with a hint, and not one byte is changed`, (t) => {
    const home = temporaryHome(t);
    make(join(home, 'capstan.db'));
    const before = digestOf(home);
    const error = failure(() => openTemporary(t, { home }));
    assert.equal(error.code, 'storage-failed');
    assert.match(error.hint ?? '', /Nothing was changed/);
    assert.ok(error.message.includes(join(home, 'capstan.db')));
    assert.equal(digestOf(home), before);
  });
}

test('a database whose end is missing is an error, never an empty answer', async (t) => {
  const home = temporaryHome(t);
  const { storage } = openTemporary(t, { home });
  const { events } = storage.session(await takeLease(storage));
  for (let index = 0; index < 200; index += 1) {
    await events.append(`e-${index}`, { type: 'attempt-fail', attempt: 1, reason: 'x'.repeat(1000) });
  }
  storage.close();
  truncateSync(join(home, 'capstan.db'), 40_960);
  const outcome = async () => (await openTemporary(t, { home }).storage.readEvents('s-1')).length;
  await assert.rejects(outcome(), (error: unknown) => error instanceof CapstanError && error.code === 'storage-failed');
});

test('a folder that cannot be made, or is a file, is storage-failed', (t) => {
  const home = temporaryHome(t);
  writeFileSync(join(home, 'file'), '');
  assert.equal(failure(() => openTemporary(t, { home: join(home, 'file') })).code, 'storage-failed');
  assert.equal(failure(() => openTemporary(t, { home: join(home, 'file', 'deeper') })).code, 'storage-failed');
  mkdirSync(join(home, 'data', 'capstan.db'), { recursive: true });
  assert.equal(failure(() => openTemporary(t, { home: join(home, 'data') })).code, 'storage-failed');
  symlinkSync('/nowhere/at/all', join(home, 'dangling'));
  assert.equal(failure(() => openTemporary(t, { home: join(home, 'dangling') })).code, 'storage-failed');
});

test('a write that waits for another process too long is retryable, and works afterwards', async (t) => {
  const home = temporaryHome(t);
  const { storage } = openTemporary(t, { home, busyMilliseconds: 30 });
  const { events } = storage.session(await takeLease(storage));
  const other = new DatabaseSync(join(home, 'capstan.db'));
  other.exec('BEGIN IMMEDIATE');
  const append = () => events.append('e', { type: 'attempt-fail', attempt: 1, reason: 'x' });
  await assert.rejects(append(), (error: unknown) => {
    assert.ok(error instanceof CapstanError);
    assert.deepEqual([error.code, error.level], ['storage-failed', 'retryable']);
    return true;
  });
  assert.deepEqual(await storage.readEvents('s-1'), [], 'readers do not wait for writers');
  other.exec('ROLLBACK');
  other.close();
  assert.equal((await append()).number, 1);
});

test('opening waits for other processes, and gives up as retryable', async (t) => {
  const home = temporaryHome(t);
  const other = new DatabaseSync(join(home, 'capstan.db'));
  t.after(() => other.close());
  other.exec('BEGIN EXCLUSIVE');
  const error = failure(() => openTemporary(t, { home, busyMilliseconds: 100 }));
  assert.deepEqual([error.code, error.level], ['storage-failed', 'retryable']);
  other.exec('ROLLBACK');
  const { storage } = openTemporary(t, { home, busyMilliseconds: 100 });
  other.exec('BEGIN IMMEDIATE');
  const { storage: reader } = openTemporary(t, { home, busyMilliseconds: 100 });
  assert.deepEqual(await reader.listSessions(), await storage.listSessions(), 'opening a folder in use takes no lock');
  other.exec('ROLLBACK');
});

test('a closed storage fails as storage-failed; closing twice is harmless', async (t) => {
  const { storage } = openTemporary(t);
  storage.close();
  storage.close();
  await assert.rejects(storage.listSessions(), (error: unknown) => error instanceof CapstanError);
});
