import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CapstanError, type EventBody, sizes } from '@capstan/contracts';
import { createRedactor } from '@capstan/telemetry';
import fc from 'fast-check';
import { openSession, openTemporary, takeLease } from './testing.ts';

const storageFailed = (error: unknown): boolean => error instanceof CapstanError && error.code === 'storage-failed';

function note(reason: string): EventBody {
  return { type: 'attempt-fail', attempt: 1, reason };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
}

test('events: each key is one row, numbers have no gaps, order is the order of first appends', async (t) => {
  const { storage } = openTemporary(t);
  let count = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ session: fc.nat(2), key: fc.nat(8), text: fc.string() }), { maxLength: 30 }),
      async (appends) => {
        count += 1;
        const expected = new Map<string, Map<string, string>>();
        const sessions = await Promise.all(
          [0, 1, 2].map(async (index) => storage.session(await takeLease(storage, `s-${count}-${index}`))),
        );
        for (const { session, key, text } of appends) {
          const target = sessions[session];
          assert.ok(target);
          const known = expected.get(target.lease.sessionId) ?? new Map<string, string>();
          expected.set(target.lease.sessionId, known);
          if (!known.has(`k-${key}`)) known.set(`k-${key}`, text);
          const row = await target.events.append(`k-${key}`, note(text));
          assert.deepEqual(row.body, note(known.get(`k-${key}`) ?? ''));
          assert.equal(row.number, [...known.keys()].indexOf(`k-${key}`) + 1);
        }
        for (const { lease, events } of sessions) {
          const rows = await events.read();
          const known = [...(expected.get(lease.sessionId)?.values() ?? [])];
          assert.deepEqual(
            rows.map((row) => [row.sessionId, row.number, row.body]),
            known.map((text, index) => [lease.sessionId, index + 1, note(text)]),
          );
          assert.deepEqual(await storage.readEvents(lease.sessionId, 2), rows.slice(2));
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('T7: a body above 8 KiB goes to the blob store, the row keeps its digest, readers see no difference', async (t) => {
  const { storage, session, home } = await openSession(t);
  const large = note('x'.repeat(sizes.blobThreshold));
  const row = await session.events.append('large', large);
  await session.events.append('small', note('y'));
  assert.equal(filesIn(join(home, 'blobs')).length, 1);
  assert.ok(statSync(join(home, 'capstan.db-wal')).size + statSync(join(home, 'capstan.db')).size > 0);
  assert.deepEqual(await storage.readEvents('s-1'), await session.events.read());
  assert.deepEqual((await session.events.read())[0], row);
  assert.deepEqual(row.body, large);
  assert.deepEqual(await session.events.append('large', note('z'.repeat(20_000))), row);
  assert.equal(filesIn(join(home, 'blobs')).length, 1, 'a repeated append stores nothing');
});

test('an event whose blob is missing or changed is an error, not a wrong event', async (t) => {
  const { session, home } = await openSession(t);
  await session.events.append('large', note('x'.repeat(20_000)));
  const [file] = filesIn(join(home, 'blobs'));
  assert.ok(file);
  writeFileSync(file, readFileSync(file, 'utf8').replace('xxx', 'xyx'));
  await assert.rejects(session.events.read(), storageFailed);
  rmSync(file);
  await assert.rejects(session.events.read(), storageFailed);
});

test('G11: secrets reach neither rows nor blobs of events; the type of an event is kept', async (t) => {
  const { session, home, storage } = await openSession(t, {
    redact: createRedactor(['hunter2-hunter2', 'attempt-fail']),
  });
  const returned = await session.events.append('a', note('the password is hunter2-hunter2'));
  await session.events.append('b', note(`${'x'.repeat(20_000)} hunter2-hunter2`));
  assert.deepEqual(returned.body, note('the password is ***'));
  assert.deepEqual((await session.events.read())[0], returned);
  storage.close();
  const files = filesIn(home);
  assert.ok(files.length >= 3);
  for (const file of files) assert.ok(!readFileSync(file).includes('hunter2-hunter2'), file);
});
