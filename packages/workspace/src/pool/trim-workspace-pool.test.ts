import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { SessionWorkspace } from '../session-workspace.ts';
import { makeCheckout, type TestCheckout } from '../testing/checkout.ts';
import { trimWorkspacePool } from './trim-workspace-pool.ts';

const now = Date.now();
const day = 24 * 60 * 60_000;

/** Two checkouts with a session each, from one folder of pools. */
async function twoPools(t: TestContext): Promise<{ pool: string; made: TestCheckout[]; opened: SessionWorkspace[] }> {
  const made = ['one\n', 'two\n'].map((text) => makeCheckout({ 'a.txt': text }));
  t.after(() => {
    for (const checkout of made) checkout.remove();
  });
  const pool = made[0]?.pool ?? '';
  const opened: SessionWorkspace[] = [];
  for (const { root, base } of made) {
    const options = { repository: root, folder: join(base, 's'), searchPath: process.env.PATH ?? '', pool };
    opened.push(await SessionWorkspace.open(options));
  }
  return { pool, made, opened };
}

/** Dates the last use of the pool of a checkout back. */
function used(pool: string, root: string, at: number): void {
  for (const name of readdirSync(pool)) {
    const marker = join(pool, name, 'checkout');
    if (readFileSync(marker, 'utf8') === root) utimesSync(marker, at / 1000, at / 1000);
  }
}

const generous = { now, unusedMilliseconds: 30 * day, bytes: 1024 ** 3 };

test('pools that are in use and small stay', async (t) => {
  const { pool } = await twoPools(t);
  const trimmed = await trimWorkspacePool({ folder: pool, ...generous });
  assert.deepEqual([trimmed.removed, trimmed.kept], [0, 2]);
  assert.deepEqual(await trimWorkspacePool({ folder: join(pool, 'nowhere'), ...generous }), {
    removed: 0,
    kept: 0,
    bytes: 0,
  });
});

test('pools that are unused, or whose checkout is gone, go; sessions keep what they need', async (t) => {
  const { pool, made, opened } = await twoPools(t);
  used(pool, made[0]?.root ?? '', now - 31 * day);
  rmSync(made[1]?.root ?? '', { recursive: true });
  mkdirSync(join(pool, 'left.trash-1', 'git'), { recursive: true });
  const trimmed = await trimWorkspacePool({ folder: pool, ...generous });
  assert.equal(trimmed.removed, 3);
  assert.ok(trimmed.bytes > 0);
  assert.deepEqual(readdirSync(pool), []);
  const [first] = opened;
  writeFileSync(join(first?.root ?? '', 'a.txt'), 'changed\n');
  assert.match((await first?.diff())?.text ?? '', /-one\n\+changed/);
});

test('of pools that are too large together, those that were used last stay', async (t) => {
  const { pool, made } = await twoPools(t);
  used(pool, made[0]?.root ?? '', now - day);
  const dry = await trimWorkspacePool({ folder: pool, ...generous, bytes: 0, dryRun: true });
  assert.deepEqual([dry.removed, readdirSync(pool).length], [2, 2]);
  const all = await trimWorkspacePool({ folder: pool, ...generous, bytes: 0 });
  assert.equal(all.removed, 2);
  const again = await twoPools(t);
  used(again.pool, again.made[0]?.root ?? '', now - day);
  const half = await trimWorkspacePool({ folder: again.pool, ...generous, bytes: all.bytes * 0.7 });
  assert.deepEqual([half.removed, half.kept], [1, 1]);
  const [left] = readdirSync(again.pool);
  assert.equal(readFileSync(join(again.pool, left ?? '', 'checkout'), 'utf8'), again.made[1]?.root);
});
