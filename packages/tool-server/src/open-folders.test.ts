import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openRoot, openStateFolder } from './open-folders.ts';

test('T4: a root that is no folder, and a state folder inside the root, are refused in one sentence', async (t) => {
  const base = mkdtempSync(join(tmpdir(), 'capstan-folders-'));
  t.after(() => rmSync(base, { recursive: true }));
  writeFileSync(join(base, 'file'), '');
  symlinkSync(base, join(base, 'link'));
  const usage = (message: RegExp) => (error: unknown) => {
    assert.match(String(error), message);
    return (error as { code?: unknown }).code === 'usage';
  };
  assert.equal(await openRoot('x', join(base, 'link')), base);
  await assert.rejects(openRoot('x', join(base, 'nothing')), usage(/x: there is no folder at/));
  await assert.rejects(openRoot('x', join(base, 'file')), usage(/x: there is no folder at/));
  const state = await openStateFolder('x', join(base, 'own', 'state'), join(base, 'root'));
  assert.equal(statSync(state).mode & 0o777, 0o700);
  await assert.rejects(openStateFolder('x', join(base, 'own'), base), usage(/lies inside the root/));
  await assert.rejects(openStateFolder('x', join(base, 'link', 'own'), base), usage(/lies inside the root/));
  await assert.rejects(openStateFolder('x', join(base, 'file', 'own'), '/r'), usage(/cannot be made/));
});
