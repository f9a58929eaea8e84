import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { SessionWorkspace } from '@capstan/workspace';
import { bringAlong } from './bring-along.ts';

const searchPath = process.env.PATH ?? '';
const works = { kept: true, memory: true, detail: 'overlays' };
const fails = { kept: false, memory: false, detail: 'no overlays (too old)' };

async function session(t: TestContext, ignored: Readonly<Record<string, string>>) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-bring-')));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const checkout = join(base, 'checkout');
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(checkout, path)), { recursive: true });
    writeFileSync(join(checkout, path), text);
  };
  put('.gitignore', 'node_modules/\ndist/\n.pnp.cjs\n');
  put('package.json', '{}');
  execFileSync('git', ['init', '-q'], {
    cwd: checkout,
    env: { PATH: searchPath, GIT_CONFIG_NOSYSTEM: '1', HOME: base },
  });
  for (const [path, text] of Object.entries(ignored)) put(path, text);
  const workspace = await SessionWorkspace.open({ repository: checkout, folder: join(base, 'session'), searchPath });
  const bring = (support: typeof works) =>
    bringAlong({ workspace, sandboxKind: 'bubblewrap', searchPath, tryOverlays: async () => support });
  return { checkout, workspace, bring, put };
}

test('A6: what was installed lies below an overlay, what was built is copied, once', async (t) => {
  const { checkout, workspace, bring } = await session(t, {
    'node_modules/x/index.js': 'x',
    'packages/a/dist/index.js': 'built',
    '.pnp.cjs': 'pnp',
  });
  const brought = await bring(works);
  const overlay = { from: join(checkout, 'node_modules'), to: '/workspace/node_modules', access: 'overlay' };
  assert.deepEqual([brought.binds, brought.trialBinds], [[overlay], [overlay]]);
  assert.equal(readFileSync(join(workspace.root, 'packages/a/dist/index.js'), 'utf8'), 'built');
  assert.equal(readFileSync(join(workspace.root, '.pnp.cjs'), 'utf8'), 'pnp');
  assert.deepEqual(readdirSync(join(workspace.root, 'node_modules')), [], 'a place for it');
  writeFileSync(join(workspace.root, 'packages/a/dist/index.js'), 'of the session');
  await bring(works);
  assert.equal(readFileSync(join(workspace.root, 'packages/a/dist/index.js'), 'utf8'), 'of the session');
  assert.deepEqual((await workspace.diff()).changes, [], 'none of it is in the diff');
});

test('A6: without overlays, what was installed is copied; patches are tried on what can be read', async (t) => {
  const { checkout, workspace, bring } = await session(t, { 'node_modules/x/index.js': 'x' });
  const from = join(checkout, 'node_modules');
  const brought = await bring(fails);
  const copy = join(workspace.folder, 'copies/node_modules');
  assert.deepEqual(brought.binds, [{ from: copy, to: '/workspace/node_modules', access: 'write' }]);
  assert.deepEqual(brought.trialBinds, [{ from, to: '/workspace/node_modules', access: 'read' }]);
  assert.deepEqual(brought.folders, [{ path: 'node_modules', way: 'copy' }]);
  assert.equal(readFileSync(join(copy, 'x/index.js'), 'utf8'), 'x');
});

test('A6: without overlays, what is too large to be copied can be read, and that is told', async (t) => {
  const { bring, checkout, put } = await session(t, {});
  put('node_modules/large/data', '');
  truncateSync(join(checkout, 'node_modules/large/data'), 600 * 1024 * 1024);
  const brought = await bring(fails);
  assert.deepEqual(brought.folders, [{ path: 'node_modules', way: 'read' }]);
  assert.equal(brought.detail, 'no overlays (too old)');
});

test('T3: secrets are in no copy, and a product that is too large to be copied is left out for them', async (t) => {
  const { checkout, workspace, bring, put } = await session(t, { 'dist/.env': 'SECRET=1', 'dist/a.js': '' });
  await bring(works);
  assert.deepEqual(readdirSync(join(workspace.root, 'dist')), ['a.js']);
  put('packages/a/dist/.env', 'SECRET=1');
  put('packages/b/dist/b.js', '');
  for (const name of ['a', 'b']) {
    put(`packages/${name}/dist/data`, '');
    truncateSync(join(checkout, `packages/${name}/dist/data`), 600 * 1024 * 1024);
  }
  const { folders, binds } = await bring(works);
  assert.deepEqual(
    folders.map(({ path, way }) => `${way} ${path}`),
    ['none packages/a/dist', 'copy dist', 'overlay packages/b/dist'],
  );
  assert.deepEqual(
    binds.map(({ to }) => to),
    ['/workspace/packages/b/dist'],
  );
});

test('T3: nothing is made through a link that the session has in the place of a folder', async (t) => {
  const { workspace, bring } = await session(t, {
    'packages/a/dist/index.js': 'built',
    'packages/a/node_modules/x': '',
  });
  rmSync(join(workspace.root, 'packages'), { recursive: true, force: true });
  mkdirSync(join(workspace.folder, 'outside'));
  symlinkSync('../outside', join(workspace.root, 'packages'));
  assert.deepEqual((await bring(works)).folders, []);
  assert.equal(existsSync(join(workspace.folder, 'outside/a')), false);
});
