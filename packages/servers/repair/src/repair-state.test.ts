import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { digestId, openState } from './repair-state.ts';

const Value = z.object({ a: z.number() });

test('what was written is read again, by another opening too; anything else is not there', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-state-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const id = digestId('proposal', { a: 1 });
  await openState(folder).write(id, { a: 1 });
  assert.deepEqual(await openState(folder).read(id, Value), { a: 1 });
  assert.equal(await openState(folder).read(id, z.object({ b: z.number() })), undefined);
  assert.equal(await openState(folder).read(digestId('proposal', { a: 2 }), Value), undefined);
  assert.equal(await openState(folder).read('../proposal', Value), undefined);
  assert.deepEqual(await readdir(folder), [`${id}.json`], 'no half-written file stays');
});

test('equal values have equal ids, whatever the order of their members', () => {
  assert.equal(digestId('x', { a: 1, b: 2 }), digestId('x', { b: 2, a: 1 }));
  assert.notEqual(digestId('x', { a: 1 }), digestId('x', { a: 2 }));
});
