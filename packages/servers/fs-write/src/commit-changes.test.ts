import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { CommitDeps } from './commit-changes.ts';
import { runEffect } from './effect.ts';
import { FileJournal } from './file-journal.ts';
import { planEdits } from './plan-edits.ts';
import { Turnstile } from './turnstile.ts';
import { workspaceFiles } from './workspace-files.ts';

const paths = ['a.txt', 'b.txt', 'c.txt'];
const edits = paths.map((path) => ({ path, oldText: 'old', newText: 'new' }));
let base: string;
let root: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'capstan-commit-'));
  root = join(base, 'root');
  await mkdir(root);
  for (const path of paths) await writeFile(join(root, path), 'old\n');
});
afterEach(() => rm(base, { recursive: true, force: true }));

async function journal(): Promise<FileJournal> {
  const opened = new FileJournal(join(base, 'state'));
  await opened.open();
  return opened;
}

async function run(deps: CommitDeps, callId = 'call-1', changes = edits) {
  const effect = { ...deps, root, turnstile: new Turnstile(), nextId: () => 'fresh', refuses: async () => undefined };
  const input = { edits: changes, dryRun: false };
  return runEffect(effect, 'edit_files', input, { callId }, () => planEdits(root, changes));
}

async function contents(): Promise<string[]> {
  return Promise.all(paths.map((path) => readFile(join(root, path), 'utf8')));
}

/** A process that dies at its n-th step, before or after the step: from then on nothing works, not even taking back. */
function dying(deps: CommitDeps, step: number, after: boolean): CommitDeps & { readonly died: () => boolean } {
  let steps = 0;
  const dead = () => new Error('the process is dead');
  const mortal = <Inputs extends unknown[], Value>(act: (...inputs: Inputs) => Promise<Value>) => {
    return async (...inputs: Inputs): Promise<Value> => {
      steps += 1;
      if (steps > step || (steps === step && !after)) throw dead();
      const value = await act(...inputs);
      if (steps === step) throw dead();
      return value;
    };
  };
  const { files, journal: kept } = deps;
  return {
    died: () => steps >= step,
    files: { digest: mortal(files.digest), write: mortal(files.write), remove: mortal(files.remove) },
    journal: {
      load: mortal((id) => kept.load(id)),
      save: mortal((record) => kept.save(record)),
      finish: mortal((id) => kept.finish(id)),
      discard: mortal((id) => kept.discard(id)),
      keep: mortal((bytes) => kept.keep(bytes)),
      content: mortal((digest) => kept.content(digest)),
    },
  };
}

test('a call that died at any step, before or after it, is brought to its end once by the same call', async () => {
  const unbroken = await run({ files: workspaceFiles(root), journal: await journal() });
  const expected = await contents();
  assert.deepEqual(expected, ['new\n', 'new\n', 'new\n']);
  let finished = 0;
  for (let step = 1; finished < 2; step += 1) {
    for (const after of [false, true]) {
      await rm(join(base, 'state'), { recursive: true });
      for (const path of paths) await writeFile(join(root, path), 'old\n');
      const deps = { files: workspaceFiles(root), journal: await journal() };
      const mortal = dying(deps, step, after);
      await run(mortal).catch((error: Error) => assert.match(error.message, /dead/));
      if (!mortal.died()) finished += 1;
      assert.deepEqual(await run(deps), unbroken, `step ${step}, ${after ? 'after' : 'before'}`);
      assert.deepEqual(await contents(), expected);
      assert.deepEqual((await readdir(root)).sort(), paths);
    }
  }
});

test('a file that somebody changed after the crash makes the outcome unknown, and nothing is touched', async () => {
  const deps = { files: workspaceFiles(root), journal: await journal() };
  for (let step = 1; (await contents())[0] === 'old\n'; step += 1) {
    await rm(join(base, 'state'), { recursive: true });
    await deps.journal.open();
    await run(dying(deps, step, true)).catch(() => undefined);
  }
  await writeFile(join(root, 'b.txt'), 'human\n');
  const reply = await run(deps);
  assert.ok('failure' in reply);
  assert.equal(reply.failure.level, 'fatal');
  assert.equal(reply.failure.code, 'unknown-outcome');
  assert.match(reply.failure.message, /b\.txt/);
  assert.deepEqual(await contents(), ['new\n', 'human\n', 'old\n']);
});

test('a failure in the middle puts back what was changed; the same call can then be made again', async () => {
  const files = workspaceFiles(root);
  const deps = { files, journal: await journal() };
  const full: CommitDeps['files'] = {
    ...files,
    write: async (path, ...rest) => {
      if (path === 'c.txt') throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      return files.write(path, ...rest);
    },
  };
  const reply = await run({ ...deps, files: full });
  assert.match(JSON.stringify(reply), /The disk is full/);
  assert.deepEqual(await contents(), ['old\n', 'old\n', 'old\n']);
  assert.equal('failure' in (await run(deps)), false);
  assert.deepEqual(await contents(), ['new\n', 'new\n', 'new\n']);
});

test('F7: on a disk that stays full nothing can be put back: the failure can be retried, and the same call completes it', async () => {
  const files = workspaceFiles(root);
  const deps = { files, journal: await journal() };
  let writes = 0;
  const full: CommitDeps['files'] = {
    ...files,
    write: async (...words) => {
      writes += 1;
      if (writes > 1) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      return files.write(...words);
    },
  };
  for (let time = 1; time <= 2; time += 1) {
    const reply = await run({ ...deps, files: full });
    assert.ok('failure' in reply);
    assert.deepEqual([reply.failure.level, reply.failure.message], ['retryable', 'The disk is full']);
    assert.deepEqual(await contents(), ['new\n', 'old\n', 'old\n']);
  }
  assert.equal('failure' in (await run(deps)), false);
  assert.deepEqual(await contents(), ['new\n', 'new\n', 'new\n']);
});

test('a repeated call gives its recorded reply, whatever happened since; other arguments under its id are refused', async () => {
  const deps = { files: workspaceFiles(root), journal: await journal() };
  const first = await run(deps);
  await writeFile(join(root, 'a.txt'), 'later\n');
  assert.deepEqual(await run(deps), first);
  assert.deepEqual(await contents(), ['later\n', 'new\n', 'new\n']);
  const other = await run(deps, 'call-1', [{ path: 'a.txt', oldText: 'later', newText: 'other' }]);
  assert.match(JSON.stringify(other), /used before with other arguments/);
});
