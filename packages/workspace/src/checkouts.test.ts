import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { applyChanges } from './apply-changes.ts';
import { SessionWorkspace } from './session-workspace.ts';
import { makeCheckout, type TestCheckout, treeDigest } from './testing/checkout.ts';

/** Every kind of checkout that git knows: each is opened, changed, shown and applied (requirement A6). */
interface Kind {
  readonly name: string;
  /** Arranges the checkout; answers with its top folder when that is another one. */
  readonly prepare: (made: TestCheckout) => string | undefined;
  /** Files that must be in the copy, and such that must not. */
  readonly present?: readonly string[];
  readonly absent?: readonly string[];
  readonly notice?: RegExp;
}

const start = { 'a.txt': 'one\n', 'part/b.txt': 'two\n', 'other/c.txt': 'three\n' };

const done = (..._results: readonly unknown[]): undefined => undefined;

/** Git in another folder than the checkout. */
function gitIn(made: TestCheckout, folder: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH ?? '', HOME: made.base, GIT_CONFIG_NOSYSTEM: '1' };
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', [...identity, ...args], { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' });
}

function clone(made: TestCheckout, ...flags: string[]): string {
  const to = join(made.base, 'cloned');
  made.git('config', 'uploadpack.allowFilter', 'true');
  gitIn(made, made.base, 'clone', '-q', ...flags, `file://${made.root}`, to);
  return to;
}

function rebaseWithConflict(made: TestCheckout): void {
  made.git('checkout', '-q', '-b', 'side');
  made.write('a.txt', 'side\n');
  made.git('commit', '-qam', 'side');
  made.git('checkout', '-q', 'main');
  made.write('a.txt', 'main\n');
  made.git('commit', '-qam', 'main');
  assert.throws(() => gitIn(made, made.root, 'rebase', 'side'));
}

const kinds: readonly Kind[] = [
  {
    name: 'a sparse checkout',
    prepare: (made) => done(made.git('sparse-checkout', 'set', 'part')),
    present: ['a.txt', 'part/b.txt'],
    absent: ['other/c.txt'],
    notice: /sparse/,
  },
  {
    name: 'a sparse index',
    prepare: (made) => done(made.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'part')),
    absent: ['other/c.txt'],
    notice: /sparse/,
  },
  {
    name: 'a partial clone',
    prepare: (made) => clone(made, '--filter=blob:none', '--sparse'),
    present: ['a.txt'],
    absent: ['part/b.txt'],
    notice: /sparse/,
  },
  { name: 'a shallow clone', prepare: (made) => clone(made, '--depth=1'), present: ['part/b.txt'] },
  {
    name: 'a clone with alternates',
    prepare: (made) => {
      const to = join(made.base, 'cloned');
      gitIn(made, made.base, 'clone', '-q', '--shared', made.root, to);
      return to;
    },
  },
  {
    name: 'a linked worktree',
    prepare: (made) => {
      made.git('worktree', 'add', '-q', join(made.base, 'linked'));
      return join(made.base, 'linked');
    },
  },
  {
    name: 'a git folder elsewhere',
    prepare: (made) => {
      renameSync(join(made.root, '.git'), join(made.base, 'away.git'));
      writeFileSync(join(made.root, '.git'), 'gitdir: ../away.git\n');
      return undefined;
    },
  },
  {
    name: 'core.worktree that says where the files are',
    prepare: (made) => {
      renameSync(join(made.root, '.git'), join(made.base, 'away.git'));
      writeFileSync(join(made.root, '.git'), 'gitdir: ../away.git\n');
      gitIn(made, made.root, 'config', 'core.worktree', '../checkout');
      return undefined;
    },
  },
  {
    name: 'SHA-256',
    prepare: (made) => {
      rmSync(join(made.root, '.git'), { recursive: true });
      made.git('init', '-q', '--object-format=sha256');
      made.write('.gitignore', '*.log\n');
      made.write('kept.log', 'tracked\n');
      made.git('add', '-f', '.');
      made.git('commit', '-q', '-m', 'start');
      return undefined;
    },
    present: ['kept.log'],
  },
  {
    // As later versions of git lay it out; the version here need not be able to.
    name: 'references in a table',
    prepare: (made) => {
      writeFileSync(join(made.root, '.git', 'HEAD'), 'ref: refs/heads/.invalid\n');
      mkdirSync(join(made.root, '.git', 'reftable'));
      writeFileSync(join(made.root, '.git', 'reftable', 'tables.list'), '');
      appendFileSync(join(made.root, '.git', 'config'), '[extensions]\n\trefStorage = reftable\n');
      return undefined;
    },
  },
  {
    name: 'a split index',
    prepare: (made) => {
      made.git('update-index', '--split-index');
      made.write('new.txt', 'new\n');
      return done(made.git('add', 'new.txt'));
    },
    present: ['new.txt'],
  },
  {
    name: 'index version 4',
    prepare: (made) => done(made.git('update-index', '--index-version', '4')),
  },
  {
    name: 'an intent to add, of an ignored file',
    prepare: (made) => {
      made.write('.gitignore', '*.log\n');
      made.write('meant.log', 'meant\n');
      return done(made.git('add', '-f', '--intent-to-add', 'meant.log'));
    },
    present: ['meant.log'],
  },
  {
    name: 'files that git is told to take for unchanged',
    prepare: (made) => {
      made.git('update-index', '--assume-unchanged', 'other/c.txt');
      made.git('update-index', '--skip-worktree', 'part/b.txt');
      made.write('other/c.txt', 'changed\n');
      made.write('part/b.txt', 'changed\n');
      return undefined;
    },
    present: ['other/c.txt', 'part/b.txt'],
  },
  {
    name: 'names that differ in case, or in the form of their letters',
    prepare: (made) => {
      made.git('mv', 'part/b.txt', 'part/B.txt');
      made.write('other/C.txt', 'upper\n');
      made.write('caf\u00e9.txt', 'one\n');
      made.write('cafe\u0301.txt', 'two\n');
      return undefined;
    },
    present: ['part/B.txt', 'other/c.txt', 'other/C.txt', 'caf\u00e9.txt', 'cafe\u0301.txt'],
    absent: ['part/b.txt'],
  },
  {
    name: 'names with spaces, line ends, quotes, Chinese',
    prepare: (made) => {
      for (const name of [' a b ', 'line\nend', '"quo\'ted"', '说明 文件', '-rf', '[x]*?', 'tab\t', 'back\\slash']) {
        made.write(`names/${name}`, `${name}\n`);
      }
      return undefined;
    },
    present: ['names/ a b ', 'names/line\nend', 'names/说明 文件', 'names/-rf', 'names/[x]*?', 'names/back\\slash'],
  },
  { name: 'a detached HEAD', prepare: (made) => done(made.git('checkout', '-q', '--detach')) },
  {
    name: 'a repository without commits',
    prepare: (made) => {
      rmSync(join(made.root, '.git'), { recursive: true });
      return done(made.git('init', '-q'));
    },
  },
  {
    name: 'a rebase in progress, with conflict markers',
    prepare: (made) => done(rebaseWithConflict(made)),
    present: ['a.txt', 'part/b.txt'],
  },
  {
    name: 'submodules and nested repositories',
    prepare: (made) => {
      for (const name of ['library', 'nested']) {
        mkdirSync(join(made.base, name));
        gitIn(made, join(made.base, name), 'init', '-q');
        writeFileSync(join(made.base, name, 'x.txt'), 'x\n');
        gitIn(made, join(made.base, name), 'add', '-A');
        gitIn(made, join(made.base, name), 'commit', '-qm', 'x');
      }
      gitIn(made, made.root, 'submodule', '--quiet', 'add', join(made.base, 'library'), 'libs/one');
      cpSync(join(made.base, 'nested'), join(made.root, 'nested'), { recursive: true });
      return undefined;
    },
    present: ['.gitmodules'],
    absent: ['libs/one/x.txt', 'nested/x.txt'],
    notice: /1 submodule is left out: libs\/one\.\n1 nested repository is left out: nested\./,
  },
  {
    name: 'LFS pointers',
    prepare: (made) => {
      const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 123456\n`;
      made.write('.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n');
      made.write('data/model.bin', pointer);
      made.write('data/real.bin', Buffer.alloc(200, 7));
      return undefined;
    },
    present: ['data/model.bin', 'data/real.bin'],
    notice: /^1 file is an LFS pointer whose content is not here: data\/model\.bin\.$/,
  },
  {
    name: 'pipes, sockets and links that lead in a circle',
    prepare: (made) => {
      execFileSync('mkfifo', [join(made.root, 'part', 'pipe')]);
      execFileSync('ln', ['-s', 'loop', join(made.root, 'loop')]);
      execFileSync('ln', ['-s', '..', join(made.root, 'part', 'up')]);
      return undefined;
    },
    present: ['loop', 'part/up'],
    absent: ['part/pipe'],
    notice: /^1 special file left out \(pipe, socket or device\): part\/pipe\.$/,
  },
  {
    name: 'files that are empty, executable, binary, or read-only',
    prepare: (made) => {
      made.write('empty.txt', '');
      made.write('tool.sh', '#!/bin/sh\n');
      chmodSync(join(made.root, 'tool.sh'), 0o755);
      made.write('image.png', Buffer.from([0x89, 0x50, 0, 0xff, 0x0d, 0x0a]));
      made.write('fixed.txt', 'fixed\n');
      chmodSync(join(made.root, 'fixed.txt'), 0o444);
      return undefined;
    },
    present: ['empty.txt', 'tool.sh', 'image.png', 'fixed.txt'],
  },
  {
    name: 'folders nested almost as deep as a path can be',
    prepare: (made) => {
      const deep = Array.from({ length: 70 }, () => 'd'.repeat(40)).join('/');
      return done(made.write(`${deep}/deep.txt`, 'deep\n'));
    },
    present: [`${Array.from({ length: 70 }, () => 'd'.repeat(40)).join('/')}/deep.txt`],
  },
];

for (const kind of kinds) {
  test(`A6: ${kind.name}: opened, changed, shown and applied`, async (t) => {
    const made = makeCheckout(start);
    t.after(() => made.remove());
    const root = kind.prepare(made) ?? made.root;
    await worksOn(made, root, kind);
  });
}

async function worksOn(made: TestCheckout, root: string, kind: Kind): Promise<void> {
  const before = treeDigest(root);
  const workspace = await SessionWorkspace.open({
    repository: root,
    folder: join(made.base, 'session'),
    searchPath: process.env.PATH ?? '',
    pool: made.pool,
  });
  for (const path of ['a.txt', ...(kind.present ?? [])]) assert.ok(exists(workspace.root, path), `${path} is there`);
  for (const path of kind.absent ?? []) assert.equal(exists(workspace.root, path), false, `${path} is not there`);
  if (kind.notice) assert.match(workspace.notices.join('\n'), kind.notice);
  else assert.deepEqual(workspace.notices, []);
  for (const path of kind.present ?? []) sameFile(root, workspace.root, path);
  assert.deepEqual(await workspace.diff(), { text: '', changes: [] });
  writeFileSync(join(workspace.root, 'a.txt'), 'changed\n');
  writeFileSync(join(workspace.root, 'added.txt'), 'added\n');
  const { changes } = await workspace.diff();
  assert.deepEqual(
    changes.map(({ path, change }) => `${change} ${path}`),
    ['modified a.txt', 'added added.txt'],
  );
  await workspace.restore(await workspace.snapshot());
  assert.equal(treeDigest(root), before, 'nothing of the checkout was touched');
  const outcome = await applyChanges(workspace, { reviewed: false });
  assert.deepEqual(outcome.kind === 'applied' && outcome.files, ['a.txt', 'added.txt']);
  assert.equal(readFileSync(join(root, 'a.txt'), 'utf8'), 'changed\n');
}

function exists(root: string, path: string): boolean {
  return lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
}

function sameFile(first: string, second: string, path: string): void {
  if (!existsSync(join(first, path)) || statSync(join(first, path)).isDirectory()) return;
  assert.deepEqual(readFileSync(join(second, path)), readFileSync(join(first, path)), path);
  assert.equal(statSync(join(second, path)).mode & 0o100, statSync(join(first, path)).mode & 0o100, path);
}
