import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findRepository } from '../git/find-repository.ts';
import { makeCheckout, type TestCheckout, treeDigest } from '../testing/checkout.ts';
import { WorkspacePool } from './workspace-pool.ts';

/** So many files that a copy is made ahead, whatever is there. */
const large = 100_000;

function checkout(t: TestContext, files: Record<string, string | Buffer>) {
  const made = makeCheckout(files);
  t.after(() => made.remove());
  return made;
}

async function poolOf(made: TestCheckout): Promise<WorkspacePool> {
  return new WorkspacePool(made.pool, await findRepository(made.root), process.env.PATH ?? '');
}

/** Opens a session and makes a copy ahead for the next one. */
async function prepared(made: TestCheckout): Promise<WorkspacePool> {
  const first = await made.open('first');
  const pool = await poolOf(made);
  await pool.prepare(first.baseTree, large, new AbortController().signal);
  assert.equal(spares(pool).length, 1);
  return pool;
}

const spares = (pool: WorkspacePool) => readdirSync(pool.folder).filter((name) => name.startsWith('spare-'));

test('A6: the second session takes the copy that was made ahead, brought up to date', async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n', 'b/c.txt': 'two\n', 'gone.txt': 'x\n' });
  const pool = await prepared(made);
  const spare = join(pool.folder, spares(pool)[0] ?? '', 'tree');
  const file = statSync(join(spare, 'b/c.txt')).ino;
  made.write('a.txt', 'changed\n');
  made.write('new.txt', 'new\n');
  rmSync(join(made.root, 'gone.txt'));
  const before = treeDigest(made.root);
  const second = await made.open('second');
  assert.equal(statSync(join(second.root, 'b/c.txt')).ino, file, 'the very file that was made ahead');
  assert.equal(readFileSync(join(second.root, 'a.txt'), 'utf8'), 'changed\n');
  assert.equal(readFileSync(join(second.root, 'new.txt'), 'utf8'), 'new\n');
  assert.equal(existsSync(join(second.root, 'gone.txt')), false);
  assert.deepEqual(await second.diff(), { text: '', changes: [] });
  assert.deepEqual(spares(pool), []);
  assert.equal(treeDigest(made.root), before);
});

test('A6: a copy made ahead that somebody changed is put right before it is used', async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n', 'b.txt': 'two\n' });
  const pool = await prepared(made);
  const spare = join(pool.folder, spares(pool)[0] ?? '', 'tree');
  writeFileSync(join(spare, 'a.txt'), 'evi\n');
  rmSync(join(spare, 'b.txt'));
  const second = await made.open('second');
  assert.equal(readFileSync(join(second.root, 'a.txt'), 'utf8'), 'one\n');
  assert.equal(readFileSync(join(second.root, 'b.txt'), 'utf8'), 'two\n');
});

test('A6: a file that changed keeping its size and its times is seen', async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n' });
  await made.open('first');
  const { atime, mtime } = statSync(join(made.root, 'a.txt'));
  made.write('a.txt', 'two\n');
  utimesSync(join(made.root, 'a.txt'), atime, mtime);
  const second = await made.open('second');
  assert.equal(readFileSync(join(second.root, 'a.txt'), 'utf8'), 'two\n');
});

test('A6: changes in the same moment as a snapshot are never missed', async (t) => {
  const made = checkout(t, { 'a.txt': '000\n' });
  const workspace = await made.open('first');
  const pool = await poolOf(made);
  for (let round = 100; round < 110; round += 1) {
    made.write('a.txt', `${round}\n`);
    const { tree } = await pool.snapshot([]);
    made.write('a.txt', `${round + 400}\n`);
    assert.notEqual((await pool.snapshot([])).tree, tree, `the checkout in round ${round}`);
    writeFileSync(join(workspace.root, 'a.txt'), `${round}\n`);
    const own = await workspace.snapshot();
    writeFileSync(join(workspace.root, 'a.txt'), `${round + 400}\n`);
    assert.notEqual(await workspace.snapshot(), own, `the workspace in round ${round}`);
  }
});

test('A6: what git ignores by now is no part of the next session, what it tracks stays', async (t) => {
  const made = checkout(t, { 'kept.log': 'tracked\n', 'a.txt': 'one\n' });
  made.write('noise.log', 'untracked\n');
  assert.equal((await made.open('first')).files, 3);
  made.write('.git/info/exclude', '*.log\n');
  const second = await made.open('second');
  assert.deepEqual(readdirSync(second.root).sort(), ['a.txt', 'kept.log']);
  made.git('rm', '-q', '--cached', 'kept.log');
  assert.deepEqual(readdirSync((await made.open('third')).root).sort(), ['a.txt']);
});

test('S3: sessions live on when the pool, or the objects of the checkout, are gone', async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n', 'b.txt': 'two\n' });
  const first = await made.open('first');
  const pool = await poolOf(made);
  await pool.discard();
  assert.deepEqual(readdirSync(made.pool), []);
  rmSync(join(made.root, '.git', 'objects'), { recursive: true });
  writeFileSync(join(first.root, 'a.txt'), 'changed\n');
  assert.match((await first.diff()).text, /-one\n\+changed/);
  await first.restore(first.baseTree);
  assert.equal(readFileSync(join(first.root, 'a.txt'), 'utf8'), 'one\n');
  assert.deepEqual((await made.open('second')).files, 2);
});

test('S3: a damaged pool is made anew', async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n', 'b/c.txt': 'two\n' });
  const damages: ((git: string) => void)[] = [
    (git) => writeFileSync(join(git, 'index.checkout'), 'no index'),
    (git) => rmSync(join(git, 'objects', 'pack'), { recursive: true }),
    (git) => rmSync(join(git, 'objects'), { recursive: true }),
  ];
  for (const [at, damage] of damages.entries()) {
    const pool = await prepared(made);
    damage(pool.git.folder);
    made.write('a.txt', `round ${at}\n`);
    const workspace = await made.open(`after-${at}`);
    assert.equal(readFileSync(join(workspace.root, 'a.txt'), 'utf8'), `round ${at}\n`);
    writeFileSync(join(workspace.root, 'b/c.txt'), 'changed\n');
    await workspace.restore(workspace.baseTree);
    assert.equal(readFileSync(join(workspace.root, 'b/c.txt'), 'utf8'), 'two\n');
    rmSync(join(made.base, 'first'), { recursive: true });
    await pool.discard();
  }
});

test('S3: what a killed process left of a copy is cleared away, what another one is making stays', async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n' });
  const { baseTree } = await made.open('first');
  const pool = await poolOf(made);
  const [old, young] = ['preparing-old', 'preparing-young'].map((name) => join(pool.folder, name));
  for (const folder of [old, young]) mkdirSync(join(folder ?? '', 'tree'), { recursive: true });
  utimesSync(old ?? '', 1, 1);
  const { signal } = new AbortController();
  await pool.prepare(baseTree, large, signal);
  assert.deepEqual(
    [old, young].map((path) => existsSync(path ?? '')),
    [false, true],
  );
  assert.deepEqual(spares(pool), [], 'one is being made already');
  rmSync(young ?? '', { recursive: true });
  await pool.prepare(baseTree, 10, signal);
  assert.deepEqual(spares(pool), [], 'for few files it is not worth it');
  await pool.prepare(baseTree, large, signal);
  await pool.prepare(baseTree, large, signal);
  assert.equal(spares(pool).length, 1, 'never more than one');
});

test('a copy that is stopped while it is made leaves nothing behind', async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n' });
  const workspace = await made.open('first');
  const pool = await poolOf(made);
  const before = readdirSync(pool.folder);
  await assert.rejects(pool.prepare(workspace.baseTree, large, AbortSignal.abort()), { name: 'AbortError' });
  await workspace.prepareNext()();
  assert.deepEqual(readdirSync(pool.folder), before);
});

test('S3: sessions that are opened at once are all whole', async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n', 'b/c.txt': 'two\n' });
  await prepared(made);
  made.write('a.txt', 'three\n');
  const opened = await Promise.all(['p', 'q', 'r', 's'].map((name) => made.open(name)));
  for (const { root } of opened) {
    assert.equal(readFileSync(join(root, 'a.txt'), 'utf8'), 'three\n');
    assert.equal(readFileSync(join(root, 'b/c.txt'), 'utf8'), 'two\n');
  }
  writeFileSync(join(opened[0]?.root ?? '', 'b/c.txt'), 'mine\n');
  assert.equal(readFileSync(join(opened[1]?.root ?? '', 'b/c.txt'), 'utf8'), 'two\n', 'no file is shared');
});

test('many single objects and many packs are brought together, and nothing is lost', async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n' });
  const first = await made.open('first');
  const pool = await poolOf(made);
  for (let at = 0; at < 20; at += 1) {
    made.write('a.txt', `content ${at} of a file\n`);
    made.write(`folder-${at}/b.txt`, `${at}\n`);
    await pool.snapshot([]);
  }
  const packs = () => readdirSync(join(pool.git.folder, 'objects', 'pack')).filter((name) => name.endsWith('.pack'));
  assert.ok(packs().length > 16, `${packs().length} packs`);
  await pool.prepare(first.baseTree, 1, new AbortController().signal);
  assert.equal(packs().length, 1);
  const second = await made.open('second');
  assert.equal(readFileSync(join(second.root, 'folder-7', 'b.txt'), 'utf8'), '7\n');
  assert.deepEqual((await first.diff()).changes, []);
});
