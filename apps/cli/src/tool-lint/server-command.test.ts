import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { CapstanError } from '@capstan/contracts';
import fc from 'fast-check';
import { readSettings } from '../settings.ts';
import { installedProgram } from './installed-program.ts';
import { programFolder } from './program-folder.ts';
import { readServerFile } from './read-server-file.ts';
import type { ServerCommand } from './server-command.ts';
import { thirdPartyServer } from './third-party-server.ts';
import { withoutComments } from './without-comments.ts';

function plant(t: TestContext, files: Readonly<Record<string, string>>): string {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-servers-')));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), content);
  }
  return base;
}
const command = (folder: string, line: readonly string[]): ServerCommand => {
  const [first = '', ...args] = line;
  return { name: 's', command: first, args, environment: {}, folder };
};

test('T5: files of Claude Desktop, Cursor, VS Code and Zed are read, with comments and commas at the end', async (t) => {
  const base = plant(t, {
    'claude.json':
      '{"mcpServers": {"a": {"command": "node", "args": ["x.js"], "env": {"K": "$V"}}, "b": {"url": "https://x"}}}',
    'vscode.json':
      '\ufeff{ // mine\n "inputs": [], "servers": {"a": {"type": "stdio", "command": "uvx", "args": ["m", "http://h//p"],}, /* no more */ } }',
    'zed.json': '{"context_servers": {"a": {"command": {"path": "npx", "args": ["p"]}}, "b": {"source": "extension"}}}',
    'other.json': '{"servers": []}',
    'broken.json': '{"mcpServers": {',
  });
  const read = async (file: string) => (await readServerFile(join(base, file))).map((found) => Object.values(found));
  assert.deepEqual(await read('claude.json'), [
    ['a', 'node', ['x.js'], { K: '$V' }, base],
    ['b', 'it is reached over HTTP: only servers that a command starts are looked at'],
  ]);
  assert.deepEqual(await read('vscode.json'), [['a', 'uvx', ['m', 'http://h//p'], {}, base]]);
  assert.deepEqual(await read('zed.json'), [
    ['a', 'npx', ['p'], {}, base],
    ['b', 'it has no command'],
  ]);
  for (const file of ['other.json', 'broken.json', 'none.json', '.'])
    await assert.rejects(read(file), (error) => error instanceof CapstanError && error.code === 'usage', file);
});

test('T5: JSON without comments stays as it is, whatever stands in its strings', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      assert.deepEqual(JSON.parse(withoutComments(text)), JSON.parse(text));
      assert.deepEqual(JSON.parse(withoutComments(`// "a"\n${text}/* , ] */`)), JSON.parse(text));
    }),
  );
});

test('T5: a package that npx would run is taken from where it is installed, and never downloaded', async (t) => {
  const base = plant(t, {
    'home/.npm/_npx/1a/node_modules/@s/cached/package.json': '{"name": "@s/cached", "bin": {"cached": "main.js"}}',
    'project/node_modules/near/package.json': '{"name": "near", "bin": "run.js"}',
    'project/node_modules/many/package.json': '{"name": "many", "bin": {"x": "x.js", "y": "y.js"}}',
  });
  const run = (...line: string[]) =>
    installedProgram(command(join(base, 'project', 'deep'), line), { homeFolder: join(base, 'home'), node: '/node' });
  const near = await run('npx', '-y', 'near@1.2.3', '--flag');
  assert.deepEqual([near.command, near.args], ['/node', [join(base, 'project/node_modules/near/run.js'), '--flag']]);
  const cached = await run('/usr/bin/npx', '@s/cached@latest');
  assert.deepEqual(cached.args, [join(base, 'home/.npm/_npx/1a/node_modules/@s/cached/main.js')]);
  assert.equal((await run('node', 'x.js')).command, 'node');
  for (const missing of ['absent', 'many', '../near', ''])
    await assert.rejects(
      run('npx', missing),
      (error) => error instanceof CapstanError && /npm install/.test(error.hint ?? ''),
    );
});

test('G8: the sandbox shows the folder of the program, and never a home folder', async (t) => {
  const base = plant(t, {
    'home/loose.mjs': '',
    'home/projects/server/package.json': '{}',
    'home/projects/server/src/main.mjs': '',
    'home/projects/server/.env': 'KEY=1',
    'home/projects/node_modules/p/main.js': '',
    'home/data/x.txt': '',
  });
  const home = join(base, 'home');
  const settings = {
    ...readSettings({ HOME: home, PATH: process.env.PATH }, home, process.execPath),
    homeFolder: home,
  };
  const folderOf = (folder: string, ...line: string[]) => programFolder(command(join(base, folder), line));
  const server = join(home, 'projects/server');
  assert.equal(folderOf('home/projects/server', 'node', '--no-warnings', 'src/main.mjs'), server);
  assert.equal(folderOf('home/data', 'node', join(server, 'src/main.mjs')), server);
  assert.equal(
    folderOf('home/data', 'node', '../projects/node_modules/p/main.js'),
    join(home, 'projects/node_modules'),
  );
  assert.equal(folderOf('home/projects', 'uvx', 'server'), undefined);
  const start = (folder: string, ...line: string[]) =>
    thirdPartyServer(command(join(base, folder), line), { settings, emptyFolder: join(base, 'empty') });
  await assert.rejects(start('home', process.execPath, 'loose.mjs'), /lies in .*home itself/);
  const spec = await start('home/projects/server', process.execPath, 'src/main.mjs', join(home, 'data'), home);
  const binds = spec.profile?.binds ?? [];
  assert.deepEqual(spec.profile?.masked, [join(server, '.env')]);
  assert.ok(binds.some(({ from, to, access }) => from === server && to === server && access === 'read'));
  assert.ok(binds.some(({ from, to }) => from === join(base, 'empty') && to === join(home, 'data')));
  assert.ok(binds.every(({ from, to }) => from !== home && to !== home));
});
