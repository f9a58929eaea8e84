import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readContainedOptions } from './contained-options.ts';

const minimal = ['--root', '/w', '--sandbox', 'bubblewrap', '--search-path', '/usr/bin', '--state', '/s'];

test('what servers that run code share is read, and options of their own beside it', () => {
  const bind = '["/home/u/a:b c/x","x","overlay"]';
  const { options, own } = readContainedOptions(
    'some',
    [...minimal, '--bind', bind, '--more', '1', '--more', '2'],
    ['more'],
  );
  assert.deepEqual(options.binds, [{ from: '/home/u/a:b c/x', to: '/workspace/x', access: 'overlay' }]);
  assert.deepEqual([options.root, options.state, options.searchPath], ['/w', '/s', '/usr/bin']);
  assert.deepEqual([own('more'), own('other')], [['1', '2'], []]);
});

test('wrong use names the server, the option and what to write', () => {
  const read = (...more: string[]) => readContainedOptions('some', [...minimal, ...more]);
  assert.throws(() => readContainedOptions('some', ['--sandbox', 'none']), /some: --root is missing/);
  assert.throws(() => read('--sandbox', 'jail'), /some: --sandbox is "jail"/);
  assert.throws(() => read('--bind', '/a:/b'), /--bind '\/a:\/b' cannot be read/);
  assert.throws(() => read('--checks', '[]'), /--checks '\[\]' cannot be read/);
  assert.throws(() => read('--unknown', 'x'), /some: /);
});
