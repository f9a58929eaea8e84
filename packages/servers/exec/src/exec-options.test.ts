import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from './exec-options.ts';

const minimal = ['--root', '/w', '--sandbox', 'bubblewrap', '--search-path', '/usr/bin', '--state', '/s'];

test('options are read, a bind may name its place relative to the workspace', () => {
  const options = readOptions([
    ...minimal,
    '--bind',
    '/home/u/p/node_modules:node_modules:read',
    '--timeout-ms',
    '5000',
  ]);
  assert.deepEqual(options.binds, [{ from: '/home/u/p/node_modules', to: '/workspace/node_modules', access: 'read' }]);
  assert.deepEqual([options.root, options.state, options.longestMs], ['/w', '/s', 5000]);
});

test('wrong use says which option and what to write instead', () => {
  const wrong = (argv: readonly string[], message: RegExp): void => {
    assert.throws(() => readOptions(argv), message);
  };
  wrong([], /--root is missing/);
  wrong([...minimal, '--sandbox', 'docker'], /--sandbox is "docker"/);
  wrong([...minimal, '--bind', 'node_modules:x:read'], /--bind "node_modules:x:read" cannot be read/);
  wrong([...minimal, '--bind', '/a:/b:execute'], /cannot be read/);
  wrong([...minimal, '--timeout-ms', 'long'], /--timeout-ms/);
  wrong([...minimal, '--shell', 'sh'], /--shell/);
});
