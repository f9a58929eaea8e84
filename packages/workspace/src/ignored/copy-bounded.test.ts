import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { copyBounded } from './copy-bounded.ts';
import { placeInside } from './place-inside.ts';

function folder(t: TestContext): string {
  const base = mkdtempSync(join(tmpdir(), 'capstan-copy-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  mkdirSync(join(base, 'dist/sub'), { recursive: true });
  writeFileSync(join(base, 'dist/sub/index.js'), 'built', { mode: 0o755 });
  utimesSync(join(base, 'dist/sub/index.js'), 1000, 1000);
  return base;
}

test('A6: a copy has links, modes and times, and neither secrets nor pipes', async (t) => {
  const base = folder(t);
  symlinkSync('../../outside', join(base, 'dist/link'));
  writeFileSync(join(base, 'dist/.env'), 'SECRET=1');
  execFileSync('mkfifo', [join(base, 'dist/pipe')]);
  const to = join(base, 'tree/packages/a/dist');
  assert.equal(await copyBounded(join(base, 'dist'), to, { files: 10, bytes: 1000 }, join(base, 'copying')), true);
  assert.equal(readlinkSync(join(to, 'link')), '../../outside');
  const { mode, mtimeMs } = statSync(join(to, 'sub/index.js'));
  assert.deepEqual([mode & 0o777, mtimeMs], [0o755, 1_000_000]);
  assert.deepEqual([existsSync(join(to, '.env')), existsSync(join(to, 'pipe'))], [false, false]);
  assert.equal(existsSync(join(base, 'copying')), false);
});

test('A6: what is too large is not copied at all', async (t) => {
  const base = folder(t);
  const copy = (files: number, bytes: number) =>
    copyBounded(join(base, 'dist'), join(base, 'copy'), { files, bytes }, join(base, 'copying'));
  assert.deepEqual([await copy(2, 1000), await copy(10, 4)], [false, false]);
  assert.equal(existsSync(join(base, 'copy')), false);
  assert.equal(await copy(3, 5), true);
});

test('T3: a place is made without following links', async (t) => {
  const base = folder(t);
  mkdirSync(join(base, 'outside'));
  mkdirSync(join(base, 'tree'));
  symlinkSync('../outside', join(base, 'tree/link'));
  const tree = join(base, 'tree');
  assert.deepEqual(await Promise.all(['link', 'link/dist', '../outside/x'].map((path) => placeInside(tree, path))), [
    false,
    false,
    false,
  ]);
  assert.equal(existsSync(join(base, 'outside/dist')), false);
  assert.equal(await placeInside(tree, 'packages/a/node_modules'), true);
  assert.equal(lstatSync(join(tree, 'packages/a/node_modules')).isDirectory(), true);
});
