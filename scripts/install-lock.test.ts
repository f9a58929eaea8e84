import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { plantTree } from './checks/planted-tree.ts';
import { underInstallLock } from './install-lock.mjs';

const ignore = (): undefined => undefined;

test('one process works at a time', async (context) => {
  const worker = `
    import { appendFileSync } from 'node:fs';
    import { setTimeout as wait } from 'node:timers/promises';
    import { underInstallLock } from '${new URL('install-lock.mjs', import.meta.url).href}';
    await underInstallLock('lock', async () => {
      appendFileSync('log', 'in\\n');
      await wait(50);
      appendFileSync('log', 'out\\n');
    }, () => undefined);`;
  const folder = plantTree(context, { 'worker.mjs': worker });
  const workers = Array.from({ length: 4 }, () => spawn(process.execPath, ['worker.mjs'], { cwd: folder }));
  const endings = await Promise.all(workers.map((child) => once(child, 'exit')));
  assert.deepEqual(endings, Array(4).fill([0, null]));
  assert.equal(readFileSync(join(folder, 'log'), 'utf8'), 'in\nout\n'.repeat(4));
  assert.deepEqual(readdirSync(folder).sort(), ['log', 'worker.mjs']);
});

test('the lock of a killed process is taken over, and nothing is left behind', async (context) => {
  const folder = plantTree(context, { lock: 'token of a dead process' });
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(join(folder, 'lock'), longAgo, longAgo);
  assert.equal(await underInstallLock(join(folder, 'lock'), async () => 'done', ignore), 'done');
  assert.deepEqual(readdirSync(folder), []);
});

test('the lock is given back when the work throws, and waiting is told once', async (context) => {
  const lock = join(plantTree(context, {}), 'lock');
  await assert.rejects(
    underInstallLock(lock, () => Promise.reject(new Error('broken')), ignore),
    /broken/,
  );
  writeFileSync(lock, 'token of a live process');
  let told = 0;
  const waiting = underInstallLock(
    lock,
    async () => existsSync(lock),
    () => {
      told += 1;
      rmSync(lock);
    },
  );
  assert.equal(await waiting, true);
  assert.equal(told, 1);
});
