import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { removeOldViews, viewName } from './old-views.ts';

test('S3: views of processes that have ended are removed, those of others that run are kept', async (t) => {
  const state = mkdtempSync(join(tmpdir(), 'capstan-views-'));
  t.after(() => rmSync(state, { recursive: true, force: true }));
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  const kept = viewName(process.ppid);
  for (const name of [viewName(ended), viewName(process.pid), kept, 'nobody', 'views']) {
    mkdirSync(join(state, 'views', name), { recursive: true });
  }
  await removeOldViews(state);
  assert.deepEqual(readdirSync(join(state, 'views')), [kept]);
  await removeOldViews(join(state, 'nowhere'));
});
