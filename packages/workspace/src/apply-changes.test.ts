import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { applyChanges } from './apply-changes.ts';
import { makeCheckout, treeDigest } from './testing/checkout.ts';

const asIs = { reviewed: false };

async function session(t: TestContext, files: Record<string, string>) {
  const made = makeCheckout(files);
  t.after(() => made.remove());
  const workspace = await made.open();
  return {
    made,
    workspace,
    change: (path: string, content: string) => writeFileSync(join(workspace.root, path), content),
  };
}

test('A6: apply brings changed, new and deleted files, modes and symlinks over', async (t) => {
  const { made, workspace, change } = await session(t, {
    'a.txt': 'one\n',
    'old/b.txt': 'b\n',
    'tool.sh': '#!/bin/sh\n',
  });
  change('a.txt', 'two\n');
  rmSync(join(workspace.root, 'old/b.txt'));
  mkdirSync(join(workspace.root, 'new'));
  change('new/c.txt', 'c\n');
  chmodSync(join(workspace.root, 'tool.sh'), 0o755);
  symlinkSync('a.txt', join(workspace.root, 'link'));
  assert.deepEqual(
    await applyChanges(workspace, asIs),
    { kind: 'held', files: ['link'] },
    'G6: links are looked at first',
  );
  const outcome = await applyChanges(workspace, { reviewed: true });
  assert.equal(outcome.kind, 'applied');
  assert.equal(made.read('a.txt'), 'two\n');
  assert.equal(made.read('new/c.txt'), 'c\n');
  assert.equal(existsSync(join(made.root, 'old')), false);
  assert.equal(lstatSync(join(made.root, 'tool.sh')).mode & 0o100, 0o100);
  assert.equal(readlinkSync(join(made.root, 'link')), 'a.txt');
  assert.equal(made.git('diff', '--cached', '--name-only'), '', 'the index of the user is theirs');
});

test('A6: applying twice changes nothing more', async (t) => {
  const { made, workspace, change } = await session(t, { 'a.txt': 'one\n' });
  change('a.txt', 'two\n');
  assert.equal((await applyChanges(workspace, asIs)).kind, 'applied');
  const after = treeDigest(made.root);
  assert.equal((await applyChanges(workspace, asIs)).kind, 'present');
  assert.equal(treeDigest(made.root), after);
});

test('A6: a checkout that moved on elsewhere is merged', async (t) => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at}\n`);
  const { made, workspace, change } = await session(t, { 'a.txt': lines.join(''), 'other.txt': 'x\n' });
  change('a.txt', lines.with(1, 'session\n').join(''));
  made.write('a.txt', lines.with(18, 'user\n').join(''));
  made.write('other.txt', 'mine\n');
  assert.equal((await applyChanges(workspace, asIs)).kind, 'applied');
  assert.equal(made.read('a.txt'), lines.with(1, 'session\n').with(18, 'user\n').join(''));
  assert.equal(made.read('other.txt'), 'mine\n');
});

test('A6: a checkout that moved on in the same place is refused and left alone', async (t) => {
  const { made, workspace, change } = await session(t, { 'a.txt': 'one\n', 'b.txt': 'b\n' });
  change('a.txt', 'session\n');
  change('b.txt', 'session\n');
  made.write('a.txt', 'user\n');
  const before = treeDigest(made.root);
  assert.deepEqual(await applyChanges(workspace, asIs), { kind: 'moved', files: ['a.txt'] });
  assert.equal(treeDigest(made.root), before, 'all or none');
});

test('A6: what the user made at the path of a new file is not overwritten, ignored or not', async (t) => {
  const { made, workspace, change } = await session(t, { '.gitignore': 'secret.txt\n' });
  change('new.txt', 'session\n');
  made.write('new.txt', 'user\n');
  assert.deepEqual(await applyChanges(workspace, asIs), { kind: 'moved', files: ['new.txt'] });
  rmSync(join(made.root, 'new.txt'));
  rmSync(join(workspace.root, '.gitignore'));
  change('secret.txt', 'session\n');
  made.write('secret.txt', 'user\n');
  const outcome = await applyChanges(workspace, { reviewed: true });
  assert.deepEqual(outcome, { kind: 'moved', files: ['secret.txt'] });
  assert.equal(made.read('secret.txt'), 'user\n');
});

test('T3: apply does not follow a symlink out of the checkout', async (t) => {
  const { made, workspace, change } = await session(t, { 'd/a.txt': 'one\n' });
  change('d/a.txt', 'two\n');
  const outside = join(made.base, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'a.txt'), 'one\n');
  rmSync(join(made.root, 'd'), { recursive: true });
  symlinkSync(outside, join(made.root, 'd'));
  const outcome = await applyChanges(workspace, asIs);
  assert.equal(outcome.kind, 'moved');
  assert.equal(readFileSync(join(outside, 'a.txt'), 'utf8'), 'one\n');
});

test('G6: trust-bearing files hold everything until a human has seen them', async (t) => {
  const { made, workspace, change } = await session(t, { 'package.json': '{}\n', 'a.txt': 'one\n' });
  change('package.json', '{"scripts":{"postinstall":"x"}}\n');
  change('a.txt', 'two\n');
  const before = treeDigest(made.root);
  assert.deepEqual(await applyChanges(workspace, asIs), { kind: 'held', files: ['package.json'] });
  assert.equal(treeDigest(made.root), before);
  assert.equal((await applyChanges(workspace, { reviewed: true })).kind, 'applied');
  assert.equal(made.read('a.txt'), 'two\n');
});

test('nothing changed, nothing applied', async (t) => {
  const { workspace } = await session(t, { 'a.txt': 'one\n' });
  assert.deepEqual(await applyChanges(workspace, asIs), { kind: 'nothing' });
});
