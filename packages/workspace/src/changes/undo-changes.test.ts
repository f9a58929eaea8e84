import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { applyChanges } from '../apply-changes.ts';
import { makeCheckout, treeDigest } from '../testing/checkout.ts';
import { changeCheckout } from './change-checkout.ts';
import { ChangeJournal } from './change-journal.ts';
import { readApplyState } from './read-apply-state.ts';
import { undoChanges } from './undo-changes.ts';

const reviewed = { reviewed: true };
const lines = Array.from({ length: 20 }, (_, at) => `line ${at}\n`);

async function session(t: TestContext, files: Record<string, string>) {
  const made = makeCheckout(files);
  t.after(() => made.remove());
  const workspace = await made.open();
  const change = (path: string, content: string) => writeFileSync(join(workspace.root, path), content);
  return { made, workspace, change };
}

test('A6: undo gives back what apply changed, with permissions and folders, and can be applied again', async (t) => {
  const { made, workspace, change } = await session(t, { 'a.txt': 'one\n', 'old/b.txt': 'b\n', 'tool.sh': 'x\n' });
  chmodSync(join(made.root, 'a.txt'), 0o640);
  mkdirSync(join(made.root, 'empty'));
  const before = treeDigest(made.root);
  change('a.txt', 'two\n');
  rmSync(join(workspace.root, 'old'), { recursive: true });
  for (const folder of ['new/deep', 'empty']) mkdirSync(join(workspace.root, folder), { recursive: true });
  change('new/deep/c.txt', 'c\n');
  change('empty/d.txt', 'd\n');
  chmodSync(join(workspace.root, 'tool.sh'), 0o755);
  assert.equal((await applyChanges(workspace, reviewed)).kind, 'applied');
  assert.equal(statSync(join(made.root, 'a.txt')).mode & 0o777, 0o640, 'a changed file keeps its permissions');
  const applied = treeDigest(made.root);
  assert.equal(await readApplyState(workspace.folder), 'applied');
  assert.deepEqual(await undoChanges(workspace), {
    kind: 'undone',
    files: ['a.txt', 'empty/d.txt', 'new/deep/c.txt', 'old/b.txt', 'tool.sh'],
    number: 1,
  });
  assert.equal(treeDigest(made.root), before);
  assert.equal(await readApplyState(workspace.folder), 'undone');
  assert.deepEqual(await undoChanges(workspace), { kind: 'nothing' });
  assert.equal((await applyChanges(workspace, reviewed)).kind, 'applied');
  assert.equal(treeDigest(made.root), applied);
  assert.equal((await undoChanges(workspace)).kind, 'undone');
  assert.equal(treeDigest(made.root), before);
});

test('A6: two applies are taken back one after the other', async (t) => {
  const { made, workspace, change } = await session(t, { 'a.txt': 'one\n' });
  change('a.txt', 'two\n');
  await applyChanges(workspace, reviewed);
  change('a.txt', 'three\n');
  change('b.txt', 'b\n');
  await applyChanges(workspace, reviewed);
  assert.deepEqual((await undoChanges(workspace)).kind, 'undone');
  assert.equal(made.read('a.txt'), 'two\n');
  assert.equal(existsSync(join(made.root, 'b.txt')), false);
  assert.equal((await undoChanges(workspace)).kind, 'undone');
  assert.equal(made.read('a.txt'), 'one\n');
  assert.deepEqual(await undoChanges(workspace), { kind: 'nothing' });
});

test('A6: what the user changed since then stays: elsewhere as it is, in the same file merged', async (t) => {
  const { made, workspace, change } = await session(t, { 'a.txt': lines.join(''), 'b.txt': 'b\n' });
  change('a.txt', lines.with(1, 'session\n').join(''));
  await applyChanges(workspace, reviewed);
  made.write('a.txt', lines.with(1, 'session\n').with(18, 'user\n').join(''));
  made.write('b.txt', 'user\n');
  assert.equal((await undoChanges(workspace)).kind, 'undone');
  assert.equal(made.read('a.txt'), lines.with(18, 'user\n').join(''));
  assert.equal(made.read('b.txt'), 'user\n');
});

test('A6: an apply that was merged with work of the user gives exactly that work back', async (t) => {
  const { made, workspace, change } = await session(t, { 'a.txt': lines.join('') });
  change('a.txt', lines.with(1, 'session\n').join(''));
  made.write('a.txt', lines.with(18, 'user\n').join(''));
  const before = treeDigest(made.root);
  assert.equal((await applyChanges(workspace, reviewed)).kind, 'applied');
  assert.equal((await undoChanges(workspace)).kind, 'undone');
  assert.equal(treeDigest(made.root), before);
});

test('A6: what the user changed in the same places is never overwritten: nothing is touched', async (t) => {
  const { made, workspace, change } = await session(t, { 'a.txt': 'one\n', 'b.txt': 'b\n', 'gone.txt': 'g\n' });
  for (const path of ['a.txt', 'b.txt', 'new.txt']) change(path, 'session\n');
  rmSync(join(workspace.root, 'gone.txt'));
  await applyChanges(workspace, reviewed);
  made.write('a.txt', 'user\n');
  made.write('new.txt', 'user\n');
  made.write('gone.txt', 'user\n');
  const before = treeDigest(made.root);
  assert.deepEqual(await undoChanges(workspace), { kind: 'moved', files: ['a.txt', 'gone.txt', 'new.txt'] });
  assert.equal(treeDigest(made.root), before);
  assert.equal(await readApplyState(workspace.folder), 'applied');
});

test('A6: a file of the user in a folder that apply made keeps the folder', async (t) => {
  const { made, workspace, change } = await session(t, { 'a.txt': 'one\n' });
  mkdirSync(join(workspace.root, 'new'));
  change('new/c.txt', 'c\n');
  await applyChanges(workspace, reviewed);
  made.write('new/mine.txt', 'mine\n');
  assert.equal((await undoChanges(workspace)).kind, 'undone');
  assert.deepEqual(readdirSync(join(made.root, 'new')), ['mine.txt']);
});

test('A6: what the user has taken back by hand is taken back', async (t) => {
  const { made, workspace, change } = await session(t, { 'a.txt': 'one\n' });
  change('a.txt', 'two\n');
  await applyChanges(workspace, reviewed);
  made.write('a.txt', 'one\n');
  assert.equal((await undoChanges(workspace)).kind, 'undone');
  assert.deepEqual(await undoChanges(workspace), { kind: 'nothing' });
  assert.equal(made.read('a.txt'), 'one\n');
});

test('A6: the bytes that undo needs are kept apart from the checkout and its git, and forgotten afterwards', async (t) => {
  const { made } = await session(t, {});
  made.write('untracked.txt', 'only here\n');
  const second = await made.open('session-2');
  writeFileSync(join(second.root, 'untracked.txt'), 'session\n');
  await applyChanges(second, reviewed);
  rmSync(join(second.folder, 'git', 'objects'), { recursive: true });
  mkdirSync(join(second.folder, 'git', 'objects'));
  rmSync(join(made.root, '.git'), { recursive: true });
  assert.equal((await undoChanges(second)).kind, 'undone');
  assert.equal(made.read('untracked.txt'), 'only here\n');
  assert.deepEqual(readdirSync(join(second.folder, 'changes')), ['0001.json', '0002.json']);
});

test('A6: a step that cannot be made takes the steps before it back', async (t) => {
  const { made, workspace } = await session(t, { 'a.txt': 'one\n' });
  const outside = join(made.base, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'x.txt'), 'one\n');
  symlinkSync(outside, join(made.root, 'link'));
  const before = treeDigest(made.root);
  const one = { mode: '100644', blob: '5626abf0f72e58d7a153368ba57db4c673c0e171' };
  const two = { mode: '100644', blob: 'f719efd430d52bcfc8566a43b2eb655688d38871' };
  const outcome = await changeCheckout(workspace, {
    kind: 'apply',
    steps: ['a.txt', 'link/x.txt'].map((path) => ({ kind: 'put', path, now: one, entry: two })),
    bytes: new Map([[two.blob, Buffer.from('two\n')]]),
    emptied: 'all',
  });
  assert.deepEqual(outcome, { kind: 'moved', files: ['link/x.txt'] });
  assert.equal(treeDigest(made.root), before);
  assert.equal(readFileSync(join(outside, 'x.txt'), 'utf8'), 'one\n');
  const [change] = await new ChangeJournal(workspace.folder).all();
  assert.equal(change?.state, 'taken-back');
  assert.equal(await readApplyState(workspace.folder), 'none');
});

test('a damaged record is said to be damaged, and nothing is changed', async (t) => {
  const { made, workspace, change } = await session(t, { 'a.txt': 'one\n' });
  change('a.txt', 'two\n');
  await applyChanges(workspace, reviewed);
  writeFileSync(join(workspace.folder, 'changes', '0001.json'), '{"number":1');
  await assert.rejects(undoChanges(workspace), { code: 'workspace-lost' });
  assert.equal(made.read('a.txt'), 'two\n');
});
