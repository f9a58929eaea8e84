import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, link, readdir, readFile, rename, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { WriteServer } from './testing/write-server.ts';

const server = await WriteServer.open();
const { base, root } = server;
const put = (path: string, content: string | Buffer) => server.put(path, content);
const content = (path: string) => server.content(path);
const call = (name: string, input: Record<string, unknown>, callId?: string) => server.call(name, input, callId);
const edit = (path: string, oldText: string, newText: string, more: Record<string, unknown> = {}) =>
  call('edit_files', { edits: [{ path, oldText, newText, ...more }] });

beforeEach(async () => {
  await server.empty();
  await put('src/sum.mjs', 'export function sum(a, b) {\n  return a - b;\n}\n');
  await writeFile(join(base, 'outside.txt'), 'outside');
});
after(() => server.end());

describe('edit_files', () => {
  test('T9: a dry run shows the diff and writes nothing; the real run does just that', async () => {
    const input = { edits: [{ path: 'src/sum.mjs', oldText: 'a - b', newText: 'a + b' }] };
    const dry = await call('edit_files', { ...input, dryRun: true });
    assert.match(dry.text, /^Dry run: nothing was written/);
    assert.match(await content('src/sum.mjs'), /a - b/);
    const real = await call('edit_files', input);
    assert.equal(real.structured.diff, dry.structured.diff);
    assert.match(
      real.text,
      /--- a\/src\/sum\.mjs\n\+\+\+ b\/src\/sum\.mjs\n@@ -1,3 \+1,3 @@\n.*\n- {2}return a - b;\n\+ {2}return a \+ b;/,
    );
    const digest = createHash('sha256')
      .update(await readFile(join(root, 'src/sum.mjs')))
      .digest('hex');
    assert.equal(real.structured.files[0]?.sha256, digest);
  });

  test('T6: many edits are made together or not at all', async () => {
    await put('b.txt', 'one\n');
    const edits = [
      { path: 'src/sum.mjs', oldText: 'a - b', newText: 'a + b' },
      { path: 'src/sum.mjs', oldText: 'a + b', newText: 'b + a' },
      { path: 'b.txt', oldText: 'two', newText: 'three' },
    ];
    const failed = await call('edit_files', { edits });
    assert.match(failed.text, /Edit 3 of 3: oldText does not occur in "b\.txt".*No file was changed/s);
    assert.match(await content('src/sum.mjs'), /a - b/);
    await put('b.txt', 'two\n');
    assert.equal((await call('edit_files', { edits })).code, undefined);
    assert.match(await content('src/sum.mjs'), /b \+ a/);
    assert.equal(await content('b.txt'), 'three\n');
  });

  test('F18: encodings, line ends, marks and mode are kept', async () => {
    await put('latin1.js', Buffer.from('// caf\xe9 \xe8\nreturn 1\n', 'latin1'));
    await put('crlf.js', '\ufefffunction f(a, b) {\r\n  return a - b\r\n}\r\n');
    await put('gbk.txt', Buffer.from('\xc4\xe3\xba\xc3\n', 'latin1'));
    await put('wide.txt', Buffer.from('\ufeffa\r\nb\r\n', 'utf16le'));
    await chmod(join(root, 'crlf.js'), 0o755);
    await edit('latin1.js', 'return 1', 'return 2');
    await edit('crlf.js', 'function f(a, b) {\n  return a - b\n', 'function f(a, b) {\n  // sum\n  return a + b\n');
    await edit('gbk.txt', '你好', '你们好');
    await edit('wide.txt', 'b', 'c\nd');
    assert.equal(await content('latin1.js'), '// caf\xe9 \xe8\nreturn 2\n');
    assert.equal(
      await readFile(join(root, 'crlf.js'), 'utf8'),
      '\ufefffunction f(a, b) {\r\n  // sum\r\n  return a + b\r\n}\r\n',
    );
    assert.equal((await stat(join(root, 'crlf.js'))).mode & 0o777, 0o755);
    assert.equal(await content('gbk.txt'), '\xc4\xe3\xc3\xc7\xba\xc3\n');
    assert.deepEqual(await readFile(join(root, 'wide.txt')), Buffer.from('\ufeffa\r\nc\r\nd\r\n', 'utf16le'));
    assert.equal((await edit('latin1.js', 'return 2', 'return "€"')).code, 'not-representable');
  });

  test('F18: ambiguous, missing, stale and empty edits change nothing and say why', async () => {
    await put('dup.js', 'return 1\nreturn 1\n');
    assert.match((await edit('dup.js', 'return 1', 'return 2')).text, /matches 2 times.*line 1, 2.*Hint:/);
    assert.equal(await content('dup.js'), 'return 1\nreturn 1\n');
    assert.match((await edit('src/sum.mjs', 'return a-b;', 'x')).text, /nearest text is:.*2\| {3}return a - b;/s);
    assert.equal((await edit('src/sum.mjs', 'a - b', 'x', { ifHash: '0123456789ab' })).code, 'stale-file');
    assert.match((await edit('src/sum.mjs', 'a - b', 'a - b')).text, /equal: nothing would change/);
    assert.equal((await edit('nothing.js', 'a', 'b')).code, 'not-found');
    assert.match((await edit('src/sum.mjs', 'a', 'b', { ifhash: 'x' })).text, /Leave out "ifhash"/);
    const indented = await edit(
      'src/sum.mjs',
      'export function sum(a, b) {\nreturn a - b;\n}',
      'export function sum(a, b) {\nreturn a + b;\n}',
    );
    assert.match(indented.text, /white space folded/);
    assert.match(await content('src/sum.mjs'), /\n {2}return a \+ b;/);
  });

  test('a file of 15 MiB is edited, a larger one refused', async () => {
    await put(
      'large.txt',
      Buffer.concat([Buffer.alloc(15 * 1024 * 1024, 'line of text\n'), Buffer.from('unique end\n')]),
    );
    await put('huge.txt', Buffer.alloc(17 * 1024 * 1024, 'x'));
    const reply = await edit('large.txt', 'unique end', 'other end');
    assert.equal(reply.code, undefined, reply.text);
    assert.equal((await edit('huge.txt', 'x', 'y')).code, 'too-large');
  });
});

describe('write_files', () => {
  test('makes files and folders; replaces only when told', async () => {
    const made = await call('write_files', { files: [{ path: 'a/b/new.txt', content: '你好\n' }] });
    assert.match(made.text, /created a\/b\/new\.txt.*--- \/dev\/null/s);
    assert.equal(await readFile(join(root, 'a/b/new.txt'), 'utf8'), '你好\n');
    const again = { path: 'a/b/new.txt', content: 'other\n' };
    assert.equal((await call('write_files', { files: [again] })).code, 'exists');
    const ifHash = made.structured.files[0]?.sha256.slice(0, 12);
    assert.equal((await call('write_files', { files: [{ ...again, ifHash }] })).code, undefined);
    assert.equal((await call('write_files', { files: [{ ...again, ifHash }] })).code, 'stale-file');
    assert.equal((await call('write_files', { files: [again, again] })).code, 'exists');
  });

  test('T3: a replaced file keeps mark, encoding and line ends', async () => {
    await put('crlf.txt', '\ufeffa\r\n');
    const reply = await call('write_files', { files: [{ path: 'crlf.txt', content: 'b\nc\n', overwrite: true }] });
    assert.equal(await readFile(join(root, 'crlf.txt'), 'utf8'), '\ufeffb\r\nc\r\n');
    assert.match(reply.text, /Kept its encoding: utf-8 with byte order mark.*Kept its CRLF line ends/s);
  });
});

describe('delete_files and restore_files', () => {
  test('T3: deletes are recoverable, edits too, until somebody changes the file', async () => {
    await chmod(join(root, 'src/sum.mjs'), 0o755);
    const before = await content('src/sum.mjs');
    const edited = await edit('src/sum.mjs', 'a - b', 'a + b');
    const deleted = await call('delete_files', { paths: ['src/sum.mjs'] });
    assert.match(deleted.text, /deleted src\/sum\.mjs.*\+\+\+ \/dev\/null/s);
    assert.deepEqual(await readdir(join(root, 'src')), []);
    assert.equal((await call('restore_files', { changeId: edited.structured.changeId })).code, 'stale-file');
    await call('restore_files', { changeId: deleted.structured.changeId });
    assert.equal((await stat(join(root, 'src/sum.mjs'))).mode & 0o777, 0o755);
    await call('restore_files', { changeId: edited.structured.changeId });
    assert.equal(await content('src/sum.mjs'), before);
    assert.equal((await call('restore_files', { changeId: '../../etc/passwd' })).code, 'not-found');
  });

  test('deletes all or nothing, and no folder or link', async () => {
    await symlink('sum.mjs', join(root, 'src/link'));
    assert.equal((await call('delete_files', { paths: ['src/sum.mjs', 'nothing'] })).code, 'not-found');
    assert.equal((await call('delete_files', { paths: ['src/sum.mjs', 'src'] })).code, 'not-a-file');
    assert.equal((await call('delete_files', { paths: ['src/link'] })).code, 'not-a-file');
    assert.deepEqual((await readdir(join(root, 'src'))).sort(), ['link', 'sum.mjs']);
  });
});

test('T3: nothing outside, no secret and nothing of git is changed, by any tool', async () => {
  await put('.git/hooks/pre-commit', 'hook');
  await put('.git/config', 'config');
  await put('.env', 'SECRET=1');
  await symlink(join(base, 'outside.txt'), join(root, 'link-out'));
  await symlink(base, join(root, 'folder-out'));
  await symlink('.git', join(root, 'git-in'));
  await link(join(base, 'outside.txt'), join(root, 'hard-link'));
  execFileSync('mkfifo', [join(root, 'fifo')]);
  const refused = [
    ...[
      '../outside.txt',
      join(base, 'outside.txt'),
      'link-out',
      'folder-out/outside.txt',
      'hard-link',
      'a\0b',
      'src\\sum.mjs',
    ],
    ...[
      '.git/hooks/pre-commit',
      '.GIT/Hooks/pre-commit',
      '.git/config',
      '.git/HEAD',
      'git-in/HEAD',
      '.env',
      '.ENV',
      'x/.npmrc',
    ],
  ];
  for (const path of refused) {
    for (const dryRun of [true, false]) {
      const calls = [
        call('edit_files', { edits: [{ path, oldText: 'o', newText: 'CHANGED' }], dryRun }),
        call('write_files', { files: [{ path, content: 'CHANGED', overwrite: true }], dryRun }),
      ];
      for (const reply of await Promise.all(calls)) assert.equal(reply.code, 'path-refused', path);
    }
    assert.match((await call('delete_files', { paths: [path] })).code ?? '', /path-refused|not-a-file/, path);
  }
  for (const path of ['fifo', 'src']) {
    assert.equal((await call('write_files', { files: [{ path, content: 'x', overwrite: true }] })).code, 'not-a-file');
  }
  assert.equal(await readFile(join(base, 'outside.txt'), 'utf8'), 'outside');
  assert.deepEqual(await readdir(join(root, '.git')), ['config', 'hooks']);
  assert.equal(await content('.env'), 'SECRET=1');
});

test('F10: swapping files and folders for links takes no write out, through the real process', async () => {
  await put('real/outside.txt', 'inside');
  await symlink('real', join(root, 'swap'));
  let swapping = true;
  const swaps = (async () => {
    for (let round = 0; swapping; round += 1) {
      await symlink(round % 2 === 0 ? '..' : 'real', join(root, 'folder.new'));
      await rename(join(root, 'folder.new'), join(root, 'swap'));
    }
  })();
  for (let round = 0; round < 100; round += 1) {
    await Promise.all([
      call('write_files', { files: [{ path: 'swap/outside.txt', content: `CHANGED ${round}`, overwrite: true }] }),
      call('write_files', { files: [{ path: `swap/new-${round}.txt`, content: 'CHANGED' }] }),
    ]);
  }
  swapping = false;
  await swaps;
  await unlink(join(root, 'swap'));
  assert.equal(await readFile(join(base, 'outside.txt'), 'utf8'), 'outside');
  assert.deepEqual((await readdir(base)).sort(), ['outside.txt', 'root', 'state']);
  assert.match(await content('real/outside.txt'), /CHANGED/);
});

test('100 calls at once on one file are made one after the other', async () => {
  await put('count.txt', '');
  await call('write_files', { files: [{ path: 'count.txt', content: 'end\n', overwrite: true }] });
  const calls = Array.from({ length: 100 }, (_, index) => edit('count.txt', 'end\n', `${index}\nend\n`));
  assert.deepEqual(new Set((await Promise.all(calls)).map((reply) => reply.code)), new Set([undefined]));
  assert.equal((await content('count.txt')).split('\n').length, 102);
});

test('killed at any moment and called again with the same id, an edit of ten files is made once', async () => {
  const names = Array.from({ length: 10 }, (_, index) => `file-${index}.txt`);
  const edits = names.map((path) => ({ path, oldText: 'n = 1', newText: 'n = 1 + 1' }));
  for (let round = 0; round < 5; round += 1) {
    for (const name of names) await put(name, 'n = 1\n');
    const killed = call('edit_files', { edits }, `call-${round}`).catch(() => undefined);
    const { pid } = server;
    await new Promise((resolve) => setTimeout(resolve, round * 6));
    process.kill(pid, 'SIGKILL');
    await killed;
    await server.close();
    await server.start();
    const reply = await call('edit_files', { edits }, `call-${round}`);
    assert.equal(reply.code, undefined, reply.text);
    for (const name of names) assert.equal(await content(name), 'n = 1 + 1\n');
    assert.deepEqual((await readdir(root)).sort(), [...names, 'src']);
  }
});
