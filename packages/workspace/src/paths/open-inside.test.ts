import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { link, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openInside, readToEnd } from './open-file.ts';
import { openFolderInside } from './open-folder.ts';

const canary = 'CANARY-OUTSIDE';
let base: string;
let root: string;

before(async () => {
  base = await mkdtemp(join(tmpdir(), 'capstan-open-'));
  root = join(base, 'root');
  await mkdir(join(root, 'src/deep'), { recursive: true });
  await mkdir(join(root, '.git/hooks'), { recursive: true });
  await mkdir(join(base, 'outside'));
  await writeFile(join(base, 'outside/secret.txt'), canary);
  await writeFile(join(root, 'src/a.txt'), 'inside');
  await writeFile(join(root, '.env'), canary);
  await writeFile(join(root, '.git/config'), canary);
  await writeFile(join(root, '.git/hooks/pre-commit'), canary);
  await symlink('a.txt', join(root, 'src/link-in'));
  await symlink('src', join(root, 'folder-in'));
  await symlink(join(base, 'outside/secret.txt'), join(root, 'src/link-out'));
  await symlink('../../outside', join(root, 'src/folder-out'));
  await symlink('../.env', join(root, 'src/notes.txt'));
  await symlink('loop', join(root, 'loop'));
  await symlink('nowhere', join(root, 'dangling'));
  await symlink('/dev/zero', join(root, 'device'));
  await symlink('/proc/self/environ', join(root, 'environ'));
  await link(join(base, 'outside/secret.txt'), join(root, 'src/hard-link'));
  execFileSync('mkfifo', [join(root, 'fifo')]);
});
after(() => rm(base, { recursive: true, force: true }));

async function read(path: string): Promise<string> {
  const file = await openInside(root, path);
  if ('failure' in file) return `${file.failure.level} ${file.failure.code}`;
  return String(await readToEnd(file, 1000));
}

describe('T3: what is opened', () => {
  const opened = {
    'src/a.txt': 'inside',
    './src//a.txt': 'inside',
    'src/link-in': 'inside',
    'folder-in/a.txt': 'inside',
  };
  for (const [path, content] of Object.entries(opened)) {
    test(`${path} is read`, async () => assert.equal(await read(path), content));
  }

  const refused = [
    ...[
      '../outside/secret.txt',
      'src/../../outside/secret.txt',
      'src/..',
      '/etc/passwd',
      '~/.ssh/id_rsa',
      'C:/x',
      'src\\a.txt',
    ],
    ...[
      'src/a.txt\0.png',
      '',
      'src/link-out',
      'src/folder-out/secret.txt',
      'src/hard-link',
      'device',
      'environ',
      'loop',
    ],
    ...[
      '.env',
      '.ENV',
      'src/notes.txt',
      '.git/config',
      '.git/hooks/pre-commit',
      '.GIT/Hooks/pre-commit',
      '.git /config',
    ],
    ...['\ud800', 'x'.repeat(300)],
  ];
  for (const path of refused) {
    test(`${JSON.stringify(path)} is refused`, async () => assert.equal(await read(path), 'param path-refused'));
  }

  for (const path of ['fifo', 'src', '.']) {
    test(`${path} is no regular file, and nobody waits for it`, async () => {
      assert.equal(await read(path), 'param not-a-file');
    });
  }

  for (const path of ['nothing', 'src/a.txt/b', 'dangling']) {
    test(`${path} is not there`, async () => assert.equal(await read(path), 'param not-found'));
  }
});

describe('T3: folders', () => {
  async function openFolder(path: string, create = false): Promise<string> {
    const folder = await openFolderInside(root, path, { create });
    if ('failure' in folder) return folder.failure.code;
    await folder.close();
    return folder.realPath.slice(root.length);
  }

  test('are opened inside, by links too, and made when wanted', async () => {
    assert.equal(await openFolder('.'), '');
    assert.equal(await openFolder('folder-in/deep'), '/src/deep');
    assert.equal(await openFolder('new/er'), 'not-found');
    assert.equal(await openFolder('folder-in/new/er', true), '/src/new/er');
  });

  test('are refused outside, as secrets, and through files', async () => {
    assert.equal(await openFolder('src/folder-out', true), 'path-refused');
    assert.equal(await openFolder('src/folder-out/x', true), 'path-refused');
    assert.equal(await openFolder('dangling/x', true), 'path-refused');
    assert.equal(await openFolder('.git/hooks', true), 'path-refused');
    assert.equal(await openFolder('src/a.txt/x', true), 'not-a-folder');
    await assert.rejects(readFile(join(base, 'outside/x')));
  });
});

test('F10: a file that is swapped for a link to the outside never leaks, in 2,000 reads', async () => {
  const path = join(root, 'src/swap.txt');
  const folder = join(root, 'swap');
  await mkdir(join(root, 'real'));
  await writeFile(join(root, 'real/secret.txt'), 'inside');
  let swapping = true;
  const swaps = (async () => {
    for (let round = 0; swapping; round += 1) {
      const target = round % 2 === 0 ? join(base, 'outside/secret.txt') : 'a.txt';
      await symlink(target, `${path}.new`);
      await rename(`${path}.new`, path);
      await symlink(round % 2 === 0 ? join(base, 'outside') : 'real', `${folder}.new`);
      await rename(`${folder}.new`, folder);
    }
  })();
  const seen = new Map<string, number>();
  for (let round = 0; round < 1000; round += 1) {
    for (const name of ['src/swap.txt', 'swap/secret.txt']) {
      const content = await read(name);
      seen.set(content, (seen.get(content) ?? 0) + 1);
    }
  }
  swapping = false;
  await swaps;
  assert.equal(seen.has(canary), false);
  assert.deepEqual(
    [...seen.keys()].filter((content) => content !== 'inside' && !content.startsWith('param ')),
    [],
  );
});
