import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { systemExecutable } from './executable.ts';

const nobody = ['--reuid', '65534', '--regid', '65534', '--clear-groups'];

for (const name of ['attacks', 'abuse', 'harmless', 'host-death', 'overlay-attacks', 'overlays']) {
  test(`G8: ${name} as an unprivileged user`, (t) => {
    if (process.getuid?.() !== 0) return t.skip('needs root: everything runs as an unprivileged user already');
    const setpriv = systemExecutable('setpriv');
    if (setpriv === undefined) return t.skip('needs setpriv: not installed');
    const file = fileURLToPath(new URL(`./${name}.test.ts`, import.meta.url));
    const readable = spawnSync(setpriv, [
      ...nobody,
      process.execPath,
      '-e',
      `require('node:fs').readFileSync(${JSON.stringify(file)})`,
    ]);
    if (readable.status !== 0) return t.skip('needs sources that other users can read');
    const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
    const env = { ...environment, HOME: '/nonexistent', NODE_COMPILE_CACHE: '' };
    const result = spawnSync(setpriv, [...nobody, process.execPath, '--test', '--test-reporter=tap', file], {
      env,
      encoding: 'utf8',
    });
    assert.equal(
      result.status,
      0,
      result.stdout
        .split('\n')
        .filter((line) => /not ok|error:|actual|expected/.test(line))
        .join('\n'),
    );
    assert.match(result.stdout, /^# pass [1-9]/m);
  });
}
