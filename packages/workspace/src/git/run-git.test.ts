import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runGit } from './run-git.ts';

const searchPath = process.env.PATH ?? '';

/** A git folder, and a pipe on which git waits for ever. */
function waiting(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-run-git-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync('git', ['init', '-q', '--bare', join(folder, 'git')], { env: { PATH: searchPath, HOME: folder } });
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  return {
    folder,
    options: { gitFolder: join(folder, 'git'), workTree: folder, indexFile: join(folder, 'index'), searchPath },
    // Git starts a shell for an alias, and that one another process: a group.
    args: ['-c', `alias.wait=!sh -c 'cat ${join(folder, 'pipe')}; true'`, 'wait'],
  };
}

/** Processes whose command line names the folder, this one left out. */
function naming(folder: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(join(folder, 'pipe'));
    } catch {
      return false; // It has ended meanwhile.
    }
  });
}

async function until(reached: () => boolean): Promise<void> {
  for (let time = 0; time < 600 && !reached(); time += 1) await sleep(100);
  assert.ok(reached());
}

test('S3: a signal ends git and everything that it started, at once', async (t) => {
  const { folder, options, args } = waiting(t);
  const stop = new AbortController();
  const running = runGit(args, { ...options, signal: stop.signal });
  const rejected = assert.rejects(running, /stopped by hand/);
  await until(() => naming(folder).length >= 2);
  stop.abort(new Error('stopped by hand'));
  await rejected;
  await until(() => naming(folder).length === 0);
  await assert.rejects(runGit(['version'], { ...options, signal: stop.signal }), /stopped by hand/);
});

test('a git that takes too long is ended with its group', async (t) => {
  const { folder, options, args } = waiting(t);
  await assert.rejects(runGit(args, { ...options, longestMilliseconds: 300 }), { code: 'storage-failed' });
  await until(() => naming(folder).length === 0);
});

test('a machine without git is told apart from a folder that is gone', async (t) => {
  const { folder, options } = waiting(t);
  await assert.rejects(runGit(['version'], { ...options, searchPath: '/nowhere' }), { code: 'no-toolchain' });
  const gone = { ...options, workTree: join(folder, 'gone') };
  await assert.rejects(runGit(['version'], gone), { code: 'workspace-lost' });
});
