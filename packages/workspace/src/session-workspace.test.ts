import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { SessionWorkspace } from './session-workspace.ts';
import { makeCheckout, treeDigest } from './testing/checkout.ts';

function checkout(t: TestContext, files: Record<string, string | Buffer>, options?: { commit: boolean }) {
  const made = makeCheckout(files, options);
  t.after(() => made.remove());
  return made;
}

test('A6: the workspace is the checkout as it is: changed, untracked, deleted and staged files', async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n', 'gone.txt': 'x\n', 'staged.txt': 'old\n' });
  made.write('a.txt', 'one\ntwo\n');
  made.write('new/untracked.txt', 'new\n');
  rmSync(join(made.root, 'gone.txt'));
  made.write('staged.txt', 'new\n');
  made.git('add', 'staged.txt');
  const before = treeDigest(made.root);
  const workspace = await made.open();
  const read = (path: string) => readFileSync(join(workspace.root, path), 'utf8');
  assert.equal(read('a.txt'), 'one\ntwo\n');
  assert.equal(read('new/untracked.txt'), 'new\n');
  assert.equal(read('staged.txt'), 'new\n');
  assert.equal(existsSync(join(workspace.root, 'gone.txt')), false);
  assert.equal(workspace.files, 3);
  assert.deepEqual(await workspace.diff(), { text: '', changes: [] });
  assert.equal(treeDigest(made.root), before, 'neither the files nor .git were touched');
});

test('A6: ignored files stay out, tracked files that an ignore rule matches are in', async (t) => {
  const made = checkout(t, { 'kept.log': 'tracked\n' });
  made.write('.gitignore', '*.log\nnode_modules/\n');
  made.write('noise.log', 'ignored\n');
  made.write('node_modules/x/index.js', 'x');
  made.write('packages/a/node_modules/y/index.js', 'y');
  const workspace = await made.open();
  assert.equal(existsSync(join(workspace.root, 'kept.log')), true);
  assert.equal(existsSync(join(workspace.root, 'noise.log')), false);
  const ignored = await workspace.ignored();
  assert.deepEqual(
    ignored.map(({ path }) => path),
    ['node_modules', 'packages/a/node_modules'],
  );
});

test('A6: bytes, modes and symlinks come over as they are, whatever attributes ask for', async (t) => {
  const latin = Buffer.from([0x66, 0xfc, 0x72, 0x0d, 0x0a]);
  const made = checkout(t, { 'crlf.txt': 'a\r\nb\n', 'latin.txt': latin });
  made.write('.gitattributes', '* text=auto eol=lf\n*.txt ident filter=evil\n');
  made.write('tool.sh', '#!/bin/sh\n');
  chmodSync(join(made.root, 'tool.sh'), 0o755);
  symlinkSync('../outside', join(made.root, 'link'));
  const workspace = await made.open();
  assert.equal(readFileSync(join(workspace.root, 'crlf.txt'), 'utf8'), 'a\r\nb\n');
  assert.deepEqual(readFileSync(join(workspace.root, 'latin.txt')), latin);
  assert.equal(lstatSync(join(workspace.root, 'tool.sh')).mode & 0o111, 0o111);
  assert.equal(lstatSync(join(workspace.root, 'link')).isSymbolicLink(), true);
});

test('A6: a repository without commits, with Chinese and spaced names', async (t) => {
  const made = checkout(t, { '说明 文件.txt': '内容\n', 'a b/c.txt': 'x\n' }, { commit: false });
  const workspace = await made.open();
  writeFileSync(join(workspace.root, '说明 文件.txt'), '新的\n');
  const { changes, text } = await workspace.diff();
  assert.deepEqual(changes, [{ path: '说明 文件.txt', change: 'modified', trustBearing: false }]);
  assert.match(text, /\+新的/);
});

test('A13: restore brings a snapshot back and removes what appeared since', async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n' });
  const workspace = await made.open();
  writeFileSync(join(workspace.root, 'a.txt'), 'two\n');
  const tree = await workspace.snapshot();
  writeFileSync(join(workspace.root, 'a.txt'), 'three\n');
  mkdirSync(join(workspace.root, 'd'));
  writeFileSync(join(workspace.root, 'd', 'new.txt'), 'new\n');
  await workspace.restore(tree);
  assert.equal(readFileSync(join(workspace.root, 'a.txt'), 'utf8'), 'two\n');
  assert.equal(existsSync(join(workspace.root, 'd', 'new.txt')), false);
});

test('S3: opening again goes on with what is there; an opening that was cut off starts anew', async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n' });
  const first = await made.open();
  writeFileSync(join(first.root, 'a.txt'), 'changed\n');
  made.write('a.txt', 'moved on\n');
  const again = await made.open();
  assert.equal(readFileSync(join(again.root, 'a.txt'), 'utf8'), 'changed\n');
  assert.equal(again.baseTree, first.baseTree);
  rmSync(join(made.base, 'session-1', 'workspace.json'));
  const anew = await made.open();
  assert.equal(readFileSync(join(anew.root, 'a.txt'), 'utf8'), 'moved on\n');
});

test('G6: changes to trust-bearing files are marked in the diff', async (t) => {
  const made = checkout(t, { 'package.json': '{}\n', 'src/a.js': '1\n' });
  const workspace = await made.open();
  writeFileSync(join(workspace.root, 'package.json'), '{"scripts":{"test":"x"}}\n');
  writeFileSync(join(workspace.root, 'src/a.js'), '2\n');
  const { changes } = await workspace.diff();
  assert.deepEqual(
    changes.map(({ path, trustBearing }) => [path, trustBearing]),
    [
      ['package.json', true],
      ['src/a.js', false],
    ],
  );
});

test('a linked worktree and a subfolder lead to the checkout that they belong to', async (t) => {
  const made = checkout(t, { 'sub/a.txt': 'one\n' });
  made.git('worktree', 'add', '-q', join(made.base, 'linked'));
  writeFileSync(join(made.base, 'linked', 'sub', 'a.txt'), 'linked\n');
  const options = {
    repository: join(made.base, 'linked', 'sub'),
    folder: join(made.base, 's2'),
    searchPath: process.env.PATH ?? '',
  };
  const workspace = await SessionWorkspace.open(options);
  assert.equal(workspace.repository.root, join(made.base, 'linked'));
  assert.equal(readFileSync(join(workspace.root, 'sub', 'a.txt'), 'utf8'), 'linked\n');
});

test('what is no checkout is said with what to do', async (t) => {
  const made = checkout(t, {});
  const open = (repository: string) =>
    SessionWorkspace.open({ repository, folder: join(made.base, 's'), searchPath: process.env.PATH ?? '' });
  await assert.rejects(open(join(made.base, 'nowhere')), { code: 'no-repository' });
  mkdirSync(join(made.base, 'plain'));
  await assert.rejects(open(join(made.base, 'plain')), { code: 'no-files', hint: /--repo/ });
});

test('T3: hostile configuration of the repository runs nothing', async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n' });
  const canary = join(made.base, 'canary');
  const run = `touch ${canary}`;
  for (const [name, value] of Object.entries({
    'core.fsmonitor': run,
    'core.hooksPath': join(made.root, 'hooks'),
    'filter.evil.clean': run,
    'filter.evil.smudge': run,
    'diff.external': run,
    'diff.evil.textconv': run,
    'core.pager': run,
    'core.sshCommand': run,
    'merge.evil.driver': run,
  })) {
    made.git('config', name, value);
  }
  for (const hook of ['post-checkout', 'post-index-change', 'pre-commit', 'reference-transaction']) {
    made.write(`hooks/${hook}`, `#!/bin/sh\n${run}\n`);
    chmodSync(join(made.root, 'hooks', hook), 0o755);
  }
  made.write('.gitattributes', '* filter=evil diff=evil merge=evil\n');
  const workspace = await made.open();
  writeFileSync(join(workspace.root, 'a.txt'), 'two\n');
  await workspace.diff();
  await workspace.restore(workspace.baseTree);
  assert.equal(existsSync(canary), false);
});

test('T3: a nested repository with hostile configuration runs nothing, and is no part of the workspace', async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n' });
  const workspace = await made.open();
  const canary = join(made.base, 'canary');
  const nested = join(workspace.root, 'sub');
  mkdirSync(nested);
  const inside = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
      cwd: nested,
      env: { PATH: process.env.PATH ?? '', HOME: made.base, GIT_CONFIG_NOSYSTEM: '1' },
    });
  inside('init', '-q');
  writeFileSync(join(nested, 'x.data'), 'one\n');
  inside('add', '-A');
  inside('commit', '-qm', 'x');
  inside('config', 'filter.evil.clean', `sh -c 'touch ${canary}; cat'`);
  writeFileSync(join(nested, '.git', 'info', 'attributes'), '* filter=evil\n');
  writeFileSync(join(nested, 'x.data'), 'two\n');
  utimesSync(join(nested, 'x.data'), 1, 1);
  for (let time = 0; time < 3; time += 1) {
    const { changes } = await workspace.diff();
    assert.deepEqual(changes, []);
  }
  await workspace.restore(workspace.baseTree);
  assert.equal(existsSync(canary), false, 'nothing of the nested repository ran');
});

test('A6: submodules of the checkout are left alone, and nested repositories without commits are no failure', async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n' });
  mkdirSync(join(made.root, 'empty'));
  execFileSync('git', ['init', '-q'], {
    cwd: join(made.root, 'empty'),
    env: { PATH: process.env.PATH ?? '', HOME: made.base },
  });
  made.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`);
  const workspace = await made.open();
  assert.equal(existsSync(join(workspace.root, 'a.txt')), true);
  assert.deepEqual((await workspace.diff()).changes, []);
});

test("S3: two readers and a lock that a killed git left stand in nobody's way", async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n' });
  const workspace = await made.open();
  writeFileSync(join(made.base, 'session-1', 'git', 'index.workspace.lock'), '');
  writeFileSync(join(workspace.root, 'a.txt'), 'two\n');
  const again = await made.open();
  const diffs = await Promise.all(Array.from({ length: 8 }, (_, at) => (at % 2 ? workspace : again).diff()));
  for (const diff of diffs) assert.match(diff.text, /\+two/);
});

test('S3: a workspace that is gone or damaged is said to be lost, never made anew in silence', async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n' });
  const workspace = await made.open();
  const options = {
    repository: made.root,
    folder: workspace.folder,
    searchPath: process.env.PATH ?? '',
    mustExist: true,
  };
  writeFileSync(join(workspace.folder, 'workspace.json'), '{');
  await assert.rejects(SessionWorkspace.open(options), { code: 'workspace-lost' });
  rmSync(workspace.folder, { recursive: true });
  await assert.rejects(SessionWorkspace.open(options), { code: 'workspace-lost', hint: /new run/ });
});

test('a data folder inside the checkout is refused, and a .git that leads nowhere makes no git checkout', async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n' });
  const searchPath = process.env.PATH ?? '';
  const inside = { repository: made.root, folder: join(made.root, 'state', 's'), searchPath };
  await assert.rejects(SessionWorkspace.open(inside), { code: 'usage', hint: /CAPSTAN_HOME/ });
  mkdirSync(join(made.base, 'broken'));
  writeFileSync(join(made.base, 'broken', '.git'), 'gitdir: /nonexistent/x\n');
  const broken = { repository: join(made.base, 'broken'), folder: join(made.base, 's3'), searchPath };
  await assert.rejects(SessionWorkspace.open(broken), { code: 'no-files' });
});

test('A6: file names that are not UTF-8 are kept', async (t) => {
  const made = checkout(t, { 'a.txt': 'one\n' });
  const name = Buffer.from('caf\xe9.txt', 'latin1');
  writeFileSync(Buffer.concat([Buffer.from(`${made.root}/`), name]), 'x\n');
  const workspace = await made.open();
  assert.equal(readFileSync(Buffer.concat([Buffer.from(`${workspace.root}/`), name]), 'utf8'), 'x\n');
  assert.deepEqual((await workspace.diff()).changes, []);
});
