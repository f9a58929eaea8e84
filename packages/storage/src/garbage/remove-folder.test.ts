import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { removeFolder } from './remove-folder.ts';

test('O2: a folder goes with what tests made unreadable in it, and what its links lead to stays', (t) => {
  const base = mkdtempSync(join(tmpdir(), 'capstan-remove-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  mkdirSync(join(base, 'kept'));
  chmodSync(join(base, 'kept'), 0o500);
  mkdirSync(join(base, 'session/tree/closed/inner'), { recursive: true });
  writeFileSync(join(base, 'session/tree/closed/inner/file'), '');
  symlinkSync('../../kept', join(base, 'session/tree/link'));
  chmodSync(join(base, 'session/tree/closed/inner'), 0);
  chmodSync(join(base, 'session/tree/closed'), 0);
  removeFolder(join(base, 'session'));
  assert.deepEqual([existsSync(join(base, 'session')), existsSync(join(base, 'kept'))], [false, true]);
  removeFolder(join(base, 'absent'));
});
