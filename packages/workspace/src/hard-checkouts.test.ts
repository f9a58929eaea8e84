import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { applyChanges } from './apply-changes.ts';
import { makeCheckout, treeDigest } from './testing/checkout.ts';

function checkout(t: TestContext, files: Record<string, string | Buffer>) {
  const made = makeCheckout(files);
  t.after(() => made.remove());
  return made;
}

const mebibyte = 1024 * 1024;

/** A file of that size, which takes no space on most disks. */
function large(path: string, bytes: number): void {
  const file = openSync(path, 'w');
  ftruncateSync(file, bytes);
  closeSync(file);
}

test('A6: a file of 200 MB is copied, named in a diff, and applied', async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n', 'large.bin': 'small\n' });
  large(join(made.root, 'large.bin'), 200 * mebibyte);
  const workspace = await made.open();
  assert.equal(statSync(join(workspace.root, 'large.bin')).size, 200 * mebibyte);
  appendFileSync(join(workspace.root, 'large.bin'), 'end');
  writeFileSync(join(workspace.root, 'a.txt'), 'two\n');
  const { text, changes } = await workspace.diff();
  assert.deepEqual(
    changes.map(({ path }) => path),
    ['a.txt', 'large.bin'],
  );
  assert.match(text, /\+two/);
  assert.match(text, /Binary files a\/large\.bin and b\/large\.bin differ/);
  assert.ok(text.length < 2_000, 'the content is not spelled out');
  assert.equal((await applyChanges(workspace, { reviewed: false })).kind, 'applied');
  assert.equal(statSync(join(made.root, 'large.bin')).size, 200 * mebibyte + 3);
});

test('A6: small binary files, and modes, are in the diff as git apply takes them', async (t) => {
  const made = checkout(t, { 'image.png': Buffer.from([0x89, 0, 1, 2]), 'tool.sh': 'x\n' });
  const workspace = await made.open();
  writeFileSync(join(workspace.root, 'image.png'), Buffer.from([0x89, 0, 9, 9, 9]));
  chmodSync(join(workspace.root, 'tool.sh'), 0o755);
  const { text } = await workspace.diff();
  writeFileSync(join(made.base, 'a.patch'), text);
  made.git('apply', join(made.base, 'a.patch'));
  assert.deepEqual(readFileSync(join(made.root, 'image.png')), Buffer.from([0x89, 0, 9, 9, 9]));
  assert.equal(statSync(join(made.root, 'tool.sh')).mode & 0o111, 0o111);
});

test('A6: what may not be read is left out and said, now and when it was read before', async (t) => {
  if (process.getuid?.() === 0) return t.skip('Root may read everything.');
  const made = checkout(t, { 'a.txt': 'one\n', 'secret.txt': 'x\n', 'closed/b.txt': 'y\n' });
  assert.equal((await made.open('before')).files, 3);
  chmodSync(join(made.root, 'secret.txt'), 0);
  chmodSync(join(made.root, 'closed'), 0);
  const workspace = await made.open('after').finally(() => chmodSync(join(made.root, 'closed'), 0o755));
  assert.deepEqual(readdirSync(workspace.root), ['a.txt']);
  assert.match(workspace.notices.join('\n'), /2 files or folders cannot be read and are left out: secret\.txt, closed/);
  writeFileSync(join(workspace.root, 'secret.txt'), 'mine\n');
  assert.deepEqual(await applyChanges(workspace, { reviewed: false }), { kind: 'moved', files: ['secret.txt'] });
});

test('A6: a checkout that changes while it is copied ends in a whole copy of it', async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`part-${at % 7}/file-${at}.txt`, `${at}\n`]),
  );
  const made = checkout(t, files);
  // Another process, as an editor or a build would be: files grow, shrink, come, go, become folders.
  const script = `
    const { writeFileSync, rmSync, mkdirSync } = require('node:fs');
    for (let round = 0; ; round += 1) for (let at = 0; at < 300; at += 7) {
      const path = 'part-0/file-' + at + '.txt';
      rmSync(path, { recursive: true, force: true });
      if (round % 3 === 0) mkdirSync(path);
      else writeFileSync(path, 'x'.repeat((round * 7919) % 50000));
      writeFileSync('part-0/fresh-' + at + '-' + (round % 5), String(round));
    }`;
  const writer = spawn(process.execPath, ['-e', script], { cwd: made.root, stdio: 'ignore' });
  t.after(() => writer.kill('SIGKILL'));
  await sleep(200);
  const opened = [await made.open('first'), await made.open('second')];
  const ended = once(writer, 'exit');
  writer.kill('SIGKILL');
  await ended;
  for (const workspace of opened) {
    assert.equal(readFileSync(join(workspace.root, 'part-1/file-1.txt'), 'utf8'), '1\n');
    assert.deepEqual((await workspace.diff()).changes, [], 'the copy is what the snapshot says');
  }
  const last = await made.open('last');
  assert.equal(existsSync(join(last.root, 'part-0', 'fresh-7-1')), existsSync(join(made.root, 'part-0', 'fresh-7-1')));
});

test('A6: a file that becomes a folder, a folder that becomes a link, and back', async (t) => {
  const made = checkout(t, { 'a/x.txt': 'x\n', b: 'file\n' });
  const workspace = await made.open();
  renameSync(join(workspace.root, 'a'), join(workspace.root, 'c'));
  symlinkSync('c', join(workspace.root, 'a'));
  rmSync(join(workspace.root, 'b'));
  mkdirSync(join(workspace.root, 'b'));
  writeFileSync(join(workspace.root, 'b', 'y.txt'), 'y\n');
  const tree = await workspace.snapshot();
  await workspace.restore(workspace.baseTree);
  assert.equal(readFileSync(join(workspace.root, 'a/x.txt'), 'utf8'), 'x\n');
  assert.equal(readFileSync(join(workspace.root, 'b'), 'utf8'), 'file\n');
  await workspace.restore(tree);
  assert.equal(readFileSync(join(workspace.root, 'b', 'y.txt'), 'utf8'), 'y\n');
  assert.equal((await applyChanges(workspace, { reviewed: true })).kind, 'applied');
  assert.equal(readFileSync(join(made.root, 'a', 'x.txt'), 'utf8'), 'x\n');
});

test('A6: a changed file whose name is no UTF-8 is refused at apply, and nothing is written', async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n' });
  const workspace = await made.open();
  const name = Buffer.concat([Buffer.from(`${workspace.root}/`), Buffer.from('caf\xe9.txt', 'latin1')]);
  writeFileSync(name, 'x\n');
  writeFileSync(join(workspace.root, 'a.txt'), 'two\n');
  const before = treeDigest(made.root);
  await assert.rejects(applyChanges(workspace, { reviewed: false }), { code: 'checkout-moved', message: /UTF-8/ });
  assert.equal(treeDigest(made.root), before);
});

test('S3: an opening that is stopped, or killed at any moment, is simply made again', async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n', 'b/c.txt': 'two\n' });
  const program = `
    import { SessionWorkspace } from ${JSON.stringify(new URL('./session-workspace.ts', import.meta.url).href)};
    const [repository, folder, pool] = process.argv.slice(1);
    for (let at = 0; ; at += 1) {
      await SessionWorkspace.open({ repository, folder: folder + at, pool, searchPath: process.env.PATH });
    }`;
  for (let round = 0; round < 4; round += 1) {
    const folder = join(made.base, `killed-${round}-`);
    const argv = ['--input-type=module', '-e', program, made.root, folder, made.pool];
    const child = spawn(process.execPath, argv, { stdio: 'ignore' });
    const ended = once(child, 'exit');
    await sleep(400 + round * 137);
    child.kill('SIGKILL');
    await ended;
    for (let at = 0; existsSync(`${folder}${at}`); at += 1) {
      const workspace = await made.open(`killed-${round}-${at}`);
      assert.equal(readFileSync(join(workspace.root, 'b/c.txt'), 'utf8'), 'two\n');
      assert.deepEqual((await workspace.diff()).changes, []);
    }
    made.write('a.txt', `round ${round}\n`);
    const next = await made.open(`next-${round}`);
    assert.equal(readFileSync(join(next.root, 'a.txt'), 'utf8'), `round ${round}\n`);
  }
});

test('S3: a workspace that was parked is as it was: diff, apply, and work in it', async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n', 'b.txt': 'x\n' });
  const workspace = await made.open();
  writeFileSync(join(workspace.root, 'a.txt'), 'two\n');
  const before = await workspace.diff();
  await workspace.park();
  assert.deepEqual(readdirSync(workspace.root), []);
  const again = await made.open();
  assert.deepEqual(await again.diff(), before);
  await again.unpark();
  assert.equal(readFileSync(join(again.root, 'a.txt'), 'utf8'), 'two\n');
  assert.deepEqual(await (await made.open()).diff(), before);
  await again.park();
  await again.restore(again.baseTree);
  assert.equal(readFileSync(join(again.root, 'a.txt'), 'utf8'), 'one\n');
  await again.park();
  writeFileSync(join(made.root, 'b.txt'), 'mine\n');
  assert.equal((await applyChanges(await made.open(), { reviewed: false })).kind, 'nothing');
});
