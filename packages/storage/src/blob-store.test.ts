import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CapstanError } from '@capstan/contracts';
import fc from 'fast-check';
import { FileBlobStore } from './blob-store.ts';
import { temporaryHome } from './testing.ts';

function storeIn(folder: string): FileBlobStore {
  return new FileBlobStore({ folder, clock: Date, alone: (work) => work() });
}

test('T7: what was put is what is got, under its sha256', async (t) => {
  const store = storeIn(join(temporaryHome(t), 'blobs'));
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), async (bytes) => {
      const digest = await store.put(bytes);
      assert.equal(digest, createHash('sha256').update(bytes).digest('hex'));
      assert.deepEqual(new Uint8Array((await store.get(digest)) ?? []), new Uint8Array(bytes));
    }),
    { numRuns: 30 },
  );
});

test('T7: a blob is one private file, however often it is put', async (t) => {
  const folder = join(temporaryHome(t), 'blobs');
  const store = storeIn(folder);
  const digest = await store.put(Buffer.from('hello'));
  await store.put(Buffer.from('hello'));
  assert.deepEqual(readdirSync(folder), [digest.slice(0, 2)]);
  assert.deepEqual(readdirSync(join(folder, digest.slice(0, 2))), [digest]);
  assert.equal(statSync(join(folder, digest.slice(0, 2), digest)).mode & 0o777, 0o600);
});

test('T7: a changed blob is refused, and mended when its content is put again', async (t) => {
  const folder = join(temporaryHome(t), 'blobs');
  const store = storeIn(folder);
  const digest = await store.put(Buffer.from('hello'));
  writeFileSync(join(folder, digest.slice(0, 2), digest), 'hellO');
  await assert.rejects(
    store.get(digest),
    (error: unknown) => error instanceof CapstanError && error.code === 'storage-failed',
  );
  await store.put(Buffer.from('hello'));
  assert.equal(String(Buffer.from((await store.get(digest)) ?? [])), 'hello');
});

test('names that are no digest reach no file', async (t) => {
  const home = temporaryHome(t);
  writeFileSync(join(home, 'secret'), 'x');
  const store = storeIn(join(home, 'blobs'));
  for (const name of ['../secret', '..', '', 'A'.repeat(64), `${'a'.repeat(63)}/`, `${'a'.repeat(64)}\n`]) {
    assert.equal(await store.get(name), undefined, JSON.stringify(name));
  }
  assert.equal(await store.get('a'.repeat(64)), undefined);
});
