import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type ApplyOutcome, applyChanges } from './apply-changes.ts';
import { checkPlainFolder } from './checkout/check-plain-folder.ts';
import { ignoredByDefault, mountsBelow } from './checkout/ignored-by-default.ts';
import { findRepository, plainFolder } from './git/find-repository.ts';
import { PrivateGit } from './git/private-git.ts';
import { SessionWorkspace } from './session-workspace.ts';
import { makeCheckout, type TestCheckout, treeDigest } from './testing/checkout.ts';

/** A folder with these files and no git around it. */
function folder(t: TestContext, files: Record<string, string>): TestCheckout {
  const made = makeCheckout(files);
  t.after(() => made.remove());
  rmSync(join(made.root, '.git'), { recursive: true });
  return made;
}

function applied(outcome: ApplyOutcome): readonly string[] {
  assert.equal(outcome.kind, 'applied');
  return outcome.kind === 'applied' ? outcome.files : [];
}

test('A6: a folder without git is opened, changed, shown and applied, and gets no .git', async (t) => {
  const made = folder(t, { 'a.txt': 'one\n', '说明.txt': '内容\n', '.gitignore': '*.log\n!target/\n' });
  for (const path of ['x.log', 'node_modules/y/index.js', 'target/kept.txt', 'src/__pycache__/z.pyc', '.svn/entries']) {
    made.write(path, 'x\n');
  }
  const before = treeDigest(made.root);
  const workspace = await made.open();
  assert.deepEqual(readdirSync(workspace.root).sort(), ['.gitignore', 'a.txt', 'target', '说明.txt'].sort());
  assert.match(workspace.notices[0] ?? '', /no git checkout/);
  assert.match(workspace.notices[1] ?? '', /^2 generated folders are left out: \.svn, src\/__pycache__\.$/);
  writeFileSync(join(workspace.root, 'a.txt'), 'two\n');
  writeFileSync(join(workspace.root, 'new.txt'), 'new\n');
  assert.match((await workspace.diff()).text, /-one\n\+two/);
  await workspace.restore(await workspace.snapshot());
  assert.equal(treeDigest(made.root), before);
  const again = await made.open();
  assert.deepEqual(applied(await applyChanges(again, { reviewed: false })), ['a.txt', 'new.txt']);
  assert.equal(made.read('a.txt'), 'two\n');
  assert.equal(existsSync(join(made.root, '.git')), false);
});

test('A6: a folder without git that moved on is merged or refused like any other', async (t) => {
  const made = folder(t, { 'a.txt': 'one\n', 'b.txt': 'one\n' });
  const workspace = await made.open();
  writeFileSync(join(workspace.root, 'a.txt'), 'two\n');
  made.write('a.txt', 'three\n');
  assert.deepEqual(await applyChanges(workspace, { reviewed: false }), { kind: 'moved', files: ['a.txt'] });
  made.write('a.txt', 'one\n');
  made.write('b.txt', 'mine\n');
  assert.deepEqual(applied(await applyChanges(workspace, { reviewed: false })), ['a.txt']);
  assert.equal(made.read('b.txt'), 'mine\n');
});

test('S3: git that appears around a folder later does not change where a session writes', async (t) => {
  const made = folder(t, { 'part/a.txt': 'one\n', 'a.txt': 'other\n' });
  const options = {
    repository: join(made.root, 'part'),
    folder: join(made.base, 's'),
    searchPath: process.env.PATH ?? '',
  };
  const workspace = await SessionWorkspace.open(options);
  writeFileSync(join(workspace.root, 'a.txt'), 'two\n');
  made.git('init', '-q');
  const again = await SessionWorkspace.open({ ...options, mustExist: true });
  assert.equal((await applyChanges(again, { reviewed: false })).kind, 'applied');
  assert.equal(made.read('a.txt'), 'other\n');
  assert.equal(made.read('part/a.txt'), 'two\n');
});

test('what is nobody’s project is refused with one sentence', async (t) => {
  const made = folder(t, { 'home/me/a.txt': 'x\n', 'empty/node_modules/x.js': 'x\n' });
  const homeFolder = join(made.root, 'home', 'me');
  const refused = { code: 'not-a-checkout', hint: /--repo/ };
  await assert.rejects(findRepository(homeFolder, { homeFolder }), { ...refused, message: /your home folder/ });
  await assert.rejects(findRepository(made.root, { homeFolder }), { ...refused, message: /home folders/ });
  await assert.rejects(findRepository('/', {}), { ...refused, message: /whole machine/ });
  for (const path of ['/etc', '/usr', '/proc/sys'])
    await assert.rejects(findRepository(path, { homeFolder }), { ...refused, message: /of the system/ }, path);
  const keys = join(homeFolder, '.ssh', 'old');
  mkdirSync(keys, { recursive: true });
  await assert.rejects(findRepository(keys, { homeFolder }), { ...refused, message: /folder of keys/ });
  await findRepository(join(made.root, 'home'), { homeFolder: join(made.root, 'home-elsewhere') });
  const open = (repository: string) =>
    SessionWorkspace.open({ repository, folder: join(made.base, 's'), searchPath: process.env.PATH ?? '' });
  await assert.rejects(open(join(made.root, 'empty')), { code: 'no-files' });
});

test('a bare repository, and a .git folder itself, are no checkouts', async (t) => {
  const made = makeCheckout({ 'a.txt': 'one\n' });
  t.after(() => made.remove());
  made.git('clone', '-q', '--bare', '.', join(made.base, 'bare.git'));
  const refused = { code: 'not-a-checkout', message: /bare/, hint: /clone/ };
  await assert.rejects(findRepository(join(made.base, 'bare.git')), refused);
  await assert.rejects(findRepository(join(made.base, 'bare.git', 'hooks')), refused);
  await assert.rejects(findRepository(join(made.root, '.git')), refused);
  mkdirSync(join(made.base, 'elsewhere'));
  made.git('config', 'core.worktree', join(made.base, 'elsewhere'));
  await assert.rejects(findRepository(made.root), { code: 'not-a-checkout', message: /files are in .*elsewhere/ });
});

test('a folder without git that is too large to be meant is refused before it is copied', async (t) => {
  const made = folder(
    t,
    Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`file-${at}.txt`, 'x'.repeat(100)])),
  );
  const git = new PrivateGit(join(made.base, 'git'), process.env.PATH ?? '');
  const repository = plainFolder(made.root);
  await git.create(repository, await ignoredByDefault(repository));
  const limits = { files: 20, bytes: 2_000, milliseconds: 60_000 };
  await checkPlainFolder(git, repository, limits);
  const refused = { code: 'folder-too-large', hint: /\.gitignore/ };
  await assert.rejects(checkPlainFolder(git, repository, { ...limits, files: 19 }), {
    ...refused,
    message: /20 files/,
  });
  await assert.rejects(checkPlainFolder(git, repository, { ...limits, bytes: 1_999 }), { ...refused, message: /more/ });
  // A disk that is so slow that git never ends.
  mkdirSync(join(made.base, 'slow'));
  writeFileSync(join(made.base, 'slow', 'git'), '#!/bin/sh\nexec /bin/sleep 600\n', { mode: 0o755 });
  const slow = new PrivateGit(git.folder, join(made.base, 'slow'));
  await assert.rejects(checkPlainFolder(slow, repository, { ...limits, milliseconds: 300 }), {
    ...refused,
    message: /in time/,
  });
});

test('what is mounted into a folder without git is left out', async (t) => {
  const made = folder(t, { 'a.txt': 'one\n' });
  const table = join(made.base, 'mounts');
  const row = (place: string) => `36 35 98:0 / ${place} rw,noatime - nfs4 server:/x rw`;
  writeFileSync(table, [row('/'), row(made.root), row(`${made.root}/my\\040share`), row(`${made.root}2/x`)].join('\n'));
  assert.deepEqual(await mountsBelow(made.root, table), ['my share']);
  assert.deepEqual(await mountsBelow(made.root, join(made.base, 'nowhere')), []);
  assert.ok((await ignoredByDefault(plainFolder(made.root))).includes('node_modules/'));
  assert.deepEqual(
    await ignoredByDefault(await findRepository(made.root).then((found) => ({ ...found, gitFolder: '/x' }))),
    [],
  );
});
