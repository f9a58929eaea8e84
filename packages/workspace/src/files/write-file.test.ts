import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { sha256 } from './digest.ts';
import { checkWritable, removeFileInside, temporaryName, writeFileAtomically } from './write-file.ts';

let base: string;
let root: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'capstan-write-'));
  root = join(base, 'root');
  await mkdir(join(root, 'src'), { recursive: true });
  await mkdir(join(base, 'outside'));
  await writeFile(join(base, 'outside/file.txt'), 'outside');
});
afterEach(() => rm(base, { recursive: true, force: true }));

async function write(path: string, content: string, expected?: string): Promise<string> {
  const options = expected === undefined ? { token: 't' } : { token: 't', expected };
  const result = await writeFileAtomically(root, path, Buffer.from(content), options);
  return 'failure' in result ? result.failure.code : result.sha256;
}

test('T3: writes a new file and its folders, keeps the mode of an existing one, leaves no temporary file', async () => {
  assert.equal(await write('src/new/a.txt', 'one'), sha256('one'));
  await chmod(join(root, 'src/new/a.txt'), 0o751);
  await writeFile(join(root, 'src/new', temporaryName('a.txt', 't')), 'left by a dead process');
  assert.equal(await write('src/new/a.txt', 'two', sha256('one')), sha256('two'));
  assert.equal(await readFile(join(root, 'src/new/a.txt'), 'utf8'), 'two');
  assert.equal((await stat(join(root, 'src/new/a.txt'))).mode & 0o777, 0o751);
  assert.deepEqual(await readdir(join(root, 'src/new')), ['a.txt']);
});

test('T3: a file that changed meanwhile is not overwritten', async () => {
  await writeFile(join(root, 'a.txt'), 'human');
  assert.equal(await write('a.txt', 'mine', sha256('old')), 'stale-file');
  assert.equal(await write('a.txt', 'mine', 'absent'), 'stale-file');
  assert.equal(await write('b.txt', 'mine', sha256('old')), 'stale-file');
  assert.equal(await readFile(join(root, 'a.txt'), 'utf8'), 'human');
  assert.deepEqual((await readdir(root)).sort(), ['a.txt', 'src']);
});

test('T3: links, hard links, FIFOs, folders and protected names', async () => {
  await symlink(join(base, 'outside/file.txt'), join(root, 'link-out'));
  await symlink(join(base, 'outside'), join(root, 'folder-out'));
  await symlink(join(base, 'outside/new.txt'), join(root, 'dangling-out'));
  await symlink('src/real.txt', join(root, 'link-in'));
  await symlink('.git/hooks', join(root, 'hooks-in'));
  await mkdir(join(root, '.git/hooks'), { recursive: true });
  await symlink('.git', join(root, 'git-in'));
  await writeFile(join(root, 'src/real.txt'), 'real');
  await link(join(base, 'outside/file.txt'), join(root, 'hard'));
  execFileSync('mkfifo', [join(root, 'fifo')]);
  const refused = [
    ...[
      'link-out',
      'folder-out/new.txt',
      'folder-out/file.txt',
      'dangling-out',
      'hard',
      '../outside/file.txt',
      '/tmp/x',
    ],
    ...['.git/hooks/pre-commit', '.GIT/hooks/x', '.git/index', '.env', '.Env.local', 'src/.npmrc', 'id_rsa', 'a\0b'],
    ...['hooks-in/pre-commit', 'git-in/HEAD', 'git-in/new/file'],
  ];
  for (const path of refused) assert.equal(await write(path, 'CHANGED'), 'path-refused', path);
  for (const path of refused) assert.equal((await checkWritable(root, path))?.failure.code, 'path-refused', path);
  assert.equal(await checkWritable(root, 'src/some/new.txt'), undefined);
  for (const path of ['fifo', 'src', '.']) assert.equal(await write(path, 'CHANGED'), 'not-a-file', path);
  assert.equal(await write('link-in', 'through the link'), sha256('through the link'));
  assert.equal(await readFile(join(root, 'src/real.txt'), 'utf8'), 'through the link');
  assert.equal((await lstat(join(root, 'link-in'))).isSymbolicLink(), true);
  assert.equal(await readFile(join(base, 'outside/file.txt'), 'utf8'), 'outside');
  assert.deepEqual(await readdir(join(base, 'outside')), ['file.txt']);
  assert.deepEqual(await readdir(join(root, '.git/hooks')), []);
  assert.deepEqual(await readdir(join(root, '.git')), ['hooks']);
});

test('T3: removes what is expected and nothing else', async () => {
  await writeFile(join(root, 'a.txt'), 'a');
  const remove = (path: string, expected: string) => removeFileInside(root, path, { expected });
  assert.match(JSON.stringify(await remove('a.txt', sha256('b'))), /stale-file/);
  assert.match(JSON.stringify(await remove('nothing', sha256('b'))), /stale-file/);
  assert.match(JSON.stringify(await remove('.env', 'absent')), /path-refused/);
  await symlink('a.txt', join(root, 'link'));
  assert.match(JSON.stringify(await remove('link', sha256('a'))), /not-a-file/);
  await unlink(join(root, 'link'));
  assert.deepEqual(await remove('a.txt', sha256('a')), { removed: true });
  assert.deepEqual(await readdir(root), ['src']);
});

test('F10: a folder that is swapped for a link to the outside never takes a write out, in 1,000 writes', async () => {
  await mkdir(join(root, 'real'));
  const folder = join(root, 'swap');
  // There from the start: a write would make a folder of that name.
  await symlink('real', folder);
  let swapping = true;
  const swaps = (async () => {
    for (let round = 0; swapping; round += 1) {
      await symlink(round % 2 === 0 ? join(base, 'outside') : 'real', `${folder}.new`);
      await rename(`${folder}.new`, folder);
      await symlink(join(base, 'outside/file.txt'), join(root, 'real/a.new'));
      await rename(join(root, 'real/a.new'), join(root, 'real/b.txt'));
    }
  })();
  const outcomes = new Set<string>();
  for (let round = 0; round < 500; round += 1) {
    outcomes.add(await write('swap/a.txt', 'mine'));
    outcomes.add(await write('real/b.txt', 'mine'));
  }
  swapping = false;
  await swaps;
  await unlink(folder);
  assert.equal(await readFile(join(base, 'outside/file.txt'), 'utf8'), 'outside');
  assert.deepEqual(await readdir(join(base, 'outside')), ['file.txt']);
  assert.ok(outcomes.has(sha256('mine')));
});
