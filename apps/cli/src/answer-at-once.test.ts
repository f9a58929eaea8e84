import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const installation = join(import.meta.dirname, '..', '..', '..');

/** Refuses to load anything of a package, installed or our own. */
const withoutPackages = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) {
    if (/\\/(node_modules|packages)\\//.test(url)) throw new Error('loaded ' + url);
    return next(url, context);
  } });
`)}`;

function capstan(...args: string[]) {
  const argv = ['--import', withoutPackages, join(installation, 'bin', 'capstan'), ...args];
  return spawnSync(process.execPath, argv, { encoding: 'utf8' });
}

for (const args of [['--version'], ['--help'], ['help', 'run'], ['apply', '--help']]) {
  test(`X1: capstan ${args.join(' ')} is answered without loading a package`, () => {
    const { status, stdout, stderr } = capstan(...args);
    assert.equal(status, 0, stderr);
    assert.notEqual(stdout, '');
  });
}

test('X1: the test above sees when a package is loaded', () => {
  const { status, stderr } = capstan('nothing');
  assert.notEqual(status, 0);
  assert.match(stderr, /loaded .*\/packages\/contracts\//);
});
