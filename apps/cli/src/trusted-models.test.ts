import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readTrustedModel, rememberTrustedModel, revokeTrustedModel } from './trusted-models.ts';

const yes = { repository: '/a', endpoint: 'https://example.org/v1', by: 'ann', at: '2026-01-02T03:04:05.000Z' };

test('a yes is remembered for one repository, replaced by a newer one, and taken back', async (t) => {
  const home = join(mkdtempSync(join(tmpdir(), 'capstan-trust-')), 'data');
  t.after(() => rmSync(join(home, '..'), { recursive: true, force: true }));
  assert.equal(await readTrustedModel(home, '/a'), undefined);
  assert.equal(await revokeTrustedModel(home, '/a'), false);
  await rememberTrustedModel(home, yes);
  await rememberTrustedModel(home, { ...yes, endpoint: 'https://other.example/v1' });
  assert.equal((await readTrustedModel(home, '/a'))?.endpoint, 'https://other.example/v1');
  assert.equal(await readTrustedModel(home, '/a/b'), undefined);
  assert.equal(readdirSync(join(home, 'trusted-models')).length, 1, 'no temporary file is left');
  assert.equal(await revokeTrustedModel(home, '/a'), true);
  assert.equal(await readTrustedModel(home, '/a'), undefined);
});

test('what is no yes is not taken for one', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'capstan-trust-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  await rememberTrustedModel(home, yes);
  const [file = ''] = readdirSync(join(home, 'trusted-models'));
  for (const text of ['', '{}', JSON.stringify({ ...yes, repository: '/other' })]) {
    writeFileSync(join(home, 'trusted-models', file), text);
    await assert.rejects(readTrustedModel(home, '/a'), { code: 'storage-failed' });
  }
  assert.equal(await revokeTrustedModel(home, '/a'), true);
  assert.equal(await readTrustedModel(home, '/a'), undefined);
});
