import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { applyChanges } from '../apply-changes.ts';
import type { SessionWorkspace } from '../session-workspace.ts';
import { makeCheckout, type TestCheckout, treeDigest } from '../testing/checkout.ts';
import { readApplyState } from './read-apply-state.ts';
import { undoChanges } from './undo-changes.ts';

const hook = fileURLToPath(new URL('../testing/kill-at-file-change.mjs', import.meta.url));
const changeOnce = fileURLToPath(new URL('../testing/change-once.ts', import.meta.url));
/** More than an apply or an undo of these few files makes. */
const mostChanges = 200;
/** Every point takes minutes; by default one in five is tried. */
const stride = process.env.CAPSTAN_KILL_SWEEP === 'all' ? 1 : 5;

interface Sides {
  readonly made: TestCheckout;
  readonly workspace: SessionWorkspace;
  readonly before: string;
  readonly applied: string;
}

test('A6 F7: kill -9 anywhere in apply or undo: the next call finishes it or takes it back, and nothing half is called done', async (t) => {
  const sides = await prepare();
  t.after(() => sides.made.remove());
  for (const what of ['apply', 'undo'] as const) {
    let killed = 0;
    for (let at = 1; at < mostChanges; at += stride) {
      await bring(sides, what === 'apply' ? sides.before : sides.applied);
      if (!killsAt(sides, what, at)) break;
      killed += 1;
      await checkHalf(sides);
      // Both ways out, in turn.
      await bring(sides, at % 2 === 0 ? sides.before : sides.applied);
    }
    t.diagnostic(`${what}: killed at ${killed} points`);
    assert.ok(killed >= 3, `${what} was killed`);
  }
});

async function prepare(): Promise<Sides> {
  const made = makeCheckout({ 'a.txt': 'one\n', 'old/b.txt': 'b\n', 'tool.sh': 'x\n' });
  const workspace = await made.open();
  const before = treeDigest(made.root);
  writeFileSync(join(workspace.root, 'a.txt'), 'two\n');
  rmSync(join(workspace.root, 'old'), { recursive: true });
  mkdirSync(join(workspace.root, '新/deep'), { recursive: true });
  writeFileSync(join(workspace.root, '新/deep/c.txt'), 'c\n');
  chmodSync(join(workspace.root, 'tool.sh'), 0o755);
  symlinkSync('a.txt', join(workspace.root, 'link'));
  await applyChanges(workspace, { reviewed: true });
  return { made, workspace, before, applied: treeDigest(made.root) };
}

/** False when the process came to its end before that point. */
function killsAt({ made, workspace }: Sides, what: string, at: number): boolean {
  const child = spawnSync(process.execPath, ['--import', hook, changeOnce, what, made.root, workspace.folder], {
    env: { PATH: process.env.PATH ?? '', KILL_AT: String(at) },
    encoding: 'utf8',
  });
  if (child.signal === 'SIGKILL') return true;
  assert.equal(child.status, 0, child.stderr);
  return false;
}

/** What is said of the checkout after the kill is true. */
async function checkHalf({ made, workspace, before, applied }: Sides): Promise<void> {
  const state = await readApplyState(workspace.folder);
  if (state === 'applied') assert.equal(treeDigest(made.root), applied);
  if (state === 'undone' || state === 'none') assert.equal(treeDigest(made.root), before);
}

/** The command after the crash, and what it has to lead to. */
async function bring({ made, workspace, before, applied }: Sides, wanted: string): Promise<void> {
  if (wanted === applied) {
    const { kind } = await applyChanges(workspace, { reviewed: true });
    assert.ok(kind === 'applied' || kind === 'present', kind);
  } else {
    const { kind } = await undoChanges(workspace);
    assert.ok(kind === 'undone' || kind === 'nothing', kind);
  }
  assert.equal(treeDigest(made.root), wanted);
  assert.equal(await readApplyState(workspace.folder), wanted === before ? 'undone' : 'applied');
}

test('A6: what the user changed after a crash in apply is theirs: nothing is touched until the places are free again', async (t) => {
  const sides = await prepare();
  const { made, workspace } = sides;
  t.after(() => made.remove());
  await bring(sides, sides.before);
  await killHalfWay(sides);
  made.write('a.txt', 'user\n');
  const half = treeDigest(made.root);
  assert.deepEqual(await undoChanges(workspace), { kind: 'moved', files: ['a.txt'] });
  assert.deepEqual(await applyChanges(workspace, { reviewed: true }), { kind: 'moved', files: ['a.txt'] });
  assert.equal(treeDigest(made.root), half);
  assert.equal(await readApplyState(workspace.folder), 'broken-off');
  made.write('a.txt', 'one\n');
  assert.equal((await undoChanges(workspace)).kind, 'undone');
  assert.equal(treeDigest(made.root), sides.before);
});

/** Kills an apply as late as it is still half: all files are there, and the change does not count yet. */
async function killHalfWay(sides: Sides): Promise<void> {
  for (let at = 32; at > 0; at -= 1) {
    const killed = killsAt(sides, 'apply', at);
    if (killed && (await readApplyState(sides.workspace.folder)) === 'broken-off') return;
    await bring(sides, sides.before);
  }
  assert.fail('no point is half-way');
}
