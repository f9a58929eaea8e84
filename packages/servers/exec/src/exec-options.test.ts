import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from './exec-options.ts';

const minimal = ['--root', '/w', '--sandbox', 'bubblewrap', '--search-path', '/usr/bin', '--state', '/s'];

test('options are read, a bind may name its place relative to the workspace', () => {
  const options = readOptions([
    ...minimal,
    '--bind',
    '["/home/u/a:b c/node_modules","node_modules","read"]',
    '--timeout-ms',
    '5000',
  ]);
  assert.deepEqual(options.binds, [
    { from: '/home/u/a:b c/node_modules', to: '/workspace/node_modules', access: 'read' },
  ]);
  assert.deepEqual([options.root, options.state, options.longestMs], ['/w', '/s', 5000]);
});

test('wrong use says which option and what to write instead', () => {
  const wrong = (argv: readonly string[], message: RegExp): void => {
    assert.throws(() => readOptions(argv), message);
  };
  wrong([], /--root is missing/);
  wrong([...minimal, '--sandbox', 'docker'], /--sandbox is "docker"/);
  wrong([...minimal, '--bind', '/a:/b:read'], /--bind '\/a:\/b:read' cannot be read/);
  for (const bind of ['["node_modules","x","read"]', '["/a","/b","execute"]', '["/a","","read"]', '["/a","/b"]']) {
    wrong([...minimal, '--bind', bind], /cannot be read/);
  }
  wrong([...minimal, '--timeout-ms', 'long'], /--timeout-ms/);
  wrong([...minimal, '--checks', '{"only":"all"}'], /--checks '.*' cannot be read/);
  wrong([...minimal, '--shell', 'sh'], /--shell/);
});
