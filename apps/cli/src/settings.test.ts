import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from './settings.ts';

const read = (environment: NodeJS.ProcessEnv) => readSettings(environment, '/somewhere', '/usr/bin/node');

test('the data folder: CAPSTAN_HOME, else XDG_STATE_HOME, else below the home folder', () => {
  assert.equal(read({ CAPSTAN_HOME: '/data', XDG_STATE_HOME: '/x', HOME: '/h' }).home, '/data');
  assert.equal(read({ XDG_STATE_HOME: '/x', HOME: '/h' }).home, '/x/capstan');
  assert.equal(read({ XDG_STATE_HOME: 'relative', HOME: '/h' }).home, '/h/.local/state/capstan');
  assert.equal(read({ CAPSTAN_HOME: '', HOME: '/h' }).home, '/h/.local/state/capstan');
});

test('G8: the search path for tools of the person is free of what npm and Capstan put in front, and of relative folders', () => {
  const { installation } = read({});
  const path = [
    `${installation}/node_modules/.bin`,
    '/p/node_modules/.bin',
    '.',
    'bin',
    '',
    `${installation}-tools`,
    '/usr/bin',
  ].join(':');
  assert.equal(read({ PATH: path }).searchPath, `${installation}-tools:/usr/bin`);
});

test('relative paths start where the person stands', () => {
  assert.equal(read({ CAPSTAN_CWD: '/project' }).currentFolder, '/project');
  assert.equal(read({}).currentFolder, '/somewhere');
});

test("the person's configuration: CAPSTAN_CONFIG, else XDG_CONFIG_HOME, else below the home folder", () => {
  assert.equal(read({ CAPSTAN_CONFIG: '/c.yaml', XDG_CONFIG_HOME: '/x', HOME: '/h' }).configFile, '/c.yaml');
  assert.equal(read({ CAPSTAN_CONFIG: 'c.yaml', CAPSTAN_CWD: '/here' }).configFile, '/here/c.yaml');
  assert.equal(read({ XDG_CONFIG_HOME: '/x', HOME: '/h' }).configFile, '/x/capstan/config.yaml');
  assert.equal(read({ XDG_CONFIG_HOME: 'relative', HOME: '/h' }).configFile, '/h/.config/capstan/config.yaml');
  assert.deepEqual(
    [read({ CAPSTAN_CONFIG: '' }), read({ CAPSTAN_CONFIG: '/c.yaml' })].map(({ configFileNamed }) => configFileNamed),
    [false, true],
  );
});
