import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { reporterFile } from '@capstan/checks';
import { openReportFolder, removeOldReports } from './report-folder.ts';

test('a report is read as a plain file only: no link, no pipe, nothing that is absent', async (t) => {
  const state = await mkdtemp(join(tmpdir(), 'capstan-exec-state-'));
  t.after(() => rm(state, { recursive: true, force: true }));
  const folder = await openReportFolder(state);
  assert.deepEqual(await readdir(folder.path), [reporterFile]);
  await writeFile(join(folder.path, 'real.json'), '{}');
  await symlink('/etc/passwd', join(folder.path, 'link.json'));
  assert.equal(spawnSync('mkfifo', [join(folder.path, 'pipe.json')]).status, 0);
  const names = ['real.json', 'link.json', 'pipe.json', 'absent.json'];
  assert.deepEqual(await folder.read(names), { 'real.json': '{}' });
  await folder.remove();
  assert.deepEqual(await readdir(state), []);
});

test('what a killed server left is removed at the next start, caches stay', async (t) => {
  const state = await mkdtemp(join(tmpdir(), 'capstan-exec-state-'));
  t.after(() => rm(state, { recursive: true, force: true }));
  await openReportFolder(state);
  await writeFile(join(state, 'cache-x'), '');
  await removeOldReports(state);
  assert.deepEqual(await readdir(state), ['cache-x']);
});
