import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from './repair-options.ts';

const minimal = ['--root', '/w', '--sandbox', 'bubblewrap', '--search-path', '/usr/bin', '--state', '/s'];

test('a bind may hold any character, and is never for writing', () => {
  const { binds } = readOptions([...minimal, '--bind', '["/home/u/a:b/node_modules","node_modules","write"]']);
  assert.deepEqual(binds, [{ from: '/home/u/a:b/node_modules', to: '/workspace/node_modules', access: 'read' }]);
  assert.throws(() => readOptions([...minimal, '--bind', '/a:/b:read']), /--bind '\/a:\/b:read' cannot be read/);
});

test('checks and protected paths are read, and all checks may be run where nothing is said', () => {
  assert.deepEqual(readOptions(minimal).checks, { deny: [] });
  const given = [...minimal, '--checks', '{"deny":["npm:test"]}', '--protect', 'a', '--protect', 'b/**'];
  const { checks, protect } = readOptions(given);
  assert.deepEqual([checks, protect], [{ deny: ['npm:test'] }, ['a', 'b/**']]);
  assert.throws(() => readOptions([...minimal, '--checks', '[]']), /--checks '\[\]' cannot be read/);
});
