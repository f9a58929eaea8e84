import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { WriteServer } from './testing/write-server.ts';

const server = await WriteServer.open();
const { root } = server;
const edit = (path: string, oldText: string, newText: string, more: Record<string, unknown> = {}) =>
  server.call('edit_files', { edits: [{ path, oldText, newText, ...more }] });

beforeEach(() => server.empty());
after(() => server.end());

test('T3: broken UTF-8, NUL bytes, links in a circle, FIFOs and long names: answered, nothing written', async () => {
  await server.put('broken.txt', Buffer.from('a \xff\xfe b\nold\n', 'latin1'));
  await server.put('nul.txt', 'a\0old');
  await symlink('two', join(root, 'one'));
  await symlink('one', join(root, 'two'));
  execFileSync('mkfifo', [join(root, 'fifo')]);
  assert.equal((await edit('broken.txt', 'old', 'new')).code, undefined);
  assert.equal(await server.content('broken.txt'), 'a \xff\xfe b\nnew\n');
  assert.match((await edit('nul.txt', 'old', 'new')).text, /is binary/);
  const long = 'n'.repeat(256);
  const rows: [string, string][] = [
    ['one', 'path-refused'],
    ['one/x', 'path-refused'],
    ['fifo', 'not-a-file'],
    [long, 'path-refused'],
    ['x/'.repeat(2100), 'path-refused'],
    ['\ud800', 'path-refused'],
  ];
  for (const [path, code] of rows) {
    for (const reply of [
      await server.call('write_files', { files: [{ path, content: 'x', overwrite: true }] }),
      await server.call('move_files', { moves: [{ from: 'broken.txt', to: path, overwrite: true }] }),
    ])
      assert.equal(reply.code, code, `${path.slice(0, 20)}: ${reply.text}`);
  }
  assert.deepEqual((await readdir(root)).sort(), ['broken.txt', 'fifo', 'nul.txt', 'one', 'two']);
});

test('a path that is just short enough is written, moved and deleted', async () => {
  const name = 'n'.repeat(240);
  const path = Array.from({ length: 14 }, () => name).join('/');
  const made = await server.call('write_files', { files: [{ path: `${path}/a.txt`, content: 'x' }] });
  assert.equal(made.code, undefined, made.text);
  const moved = await server.call('move_files', { moves: [{ from: `${path}/a.txt`, to: `${path}/b.txt` }] });
  assert.equal(moved.code, undefined, moved.text);
  assert.equal((await server.call('delete_files', { paths: [`${path}/b.txt`] })).code, undefined);
});

test('a file that somebody else replaces all the time is one of the versions, never a mixture', async () => {
  const theirs = (round: number) => `${'their line\n'.repeat(500)}round ${round}\nmark\n`;
  await server.put('busy.txt', theirs(0));
  let replacing = true;
  const replacer = (async () => {
    for (let round = 1; replacing; round += 1) {
      await writeFile(join(root, 'busy.new'), theirs(round));
      await rename(join(root, 'busy.new'), join(root, 'busy.txt'));
    }
  })();
  const codes = new Set<string | undefined>();
  for (let round = 0; round < 15; round += 1) {
    codes.add((await edit('busy.txt', 'mark', `ours ${round}\nmark`)).code);
    assert.match(await readFile(join(root, 'busy.txt'), 'utf8'), /^(their line\n){500}round \d+\n(ours \d+\n)*mark\n$/);
  }
  replacing = false;
  await replacer;
  for (const code of codes) assert.ok(code === undefined || code === 'stale-file', code);
  assert.equal((await readdir(root)).filter((name) => name.endsWith('.tmp')).length, 0);
});

test('T8: when the workspace is gone, or may not be written, each tool says so and leaves nothing', async () => {
  await server.put('a.txt', 'a\n');
  const calls: [string, Record<string, unknown>][] = [
    ['edit_files', { edits: [{ path: 'a.txt', oldText: 'a', newText: 'b' }] }],
    ['write_files', { files: [{ path: 'new.txt', content: 'x' }] }],
    ['move_files', { moves: [{ from: 'a.txt', to: 'b.txt' }] }],
    ['apply_patch', { patch: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n' }],
    ['delete_files', { paths: ['a.txt'] }],
  ];
  await rename(root, `${root}-away`);
  for (const [name, input] of calls) {
    const reply = await server.call(name, input);
    assert.equal(reply.code, 'workspace-lost', `${name}: ${reply.text}`);
    assert.match(reply.text, /^The folder that this server works in is gone\. Hint: /);
  }
  assert.equal((await readdir(server.base)).includes('root'), false, 'it is not made again');
  await rename(`${root}-away`, root);
  assert.equal((await edit('a.txt', 'a', 'b')).code, undefined);
});

test('a host that hangs up in the middle of a call: each file is whole, and the same call completes it', async () => {
  const names = Array.from({ length: 15 }, (_, index) => `file-${String(index).padStart(2, '0')}.txt`);
  const edits = names.map((path) => ({ path, oldText: 'n = 1', newText: 'n = 1 + 1' }));
  for (let round = 0; round < 2; round += 1) {
    for (const name of names) await server.put(name, 'n = 1\n');
    const broken = server.call('edit_files', { edits }, `hang-up-${round}`).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 20 + round * 30));
    await server.close();
    await broken;
    for (const name of names) assert.match(await server.content(name), /^n = 1( \+ 1)?\n$/);
    await server.start();
    const reply = await server.call('edit_files', { edits }, `hang-up-${round}`);
    assert.equal(reply.code, undefined, reply.text);
    for (const name of names) assert.equal(await server.content(name), 'n = 1 + 1\n');
    assert.deepEqual((await readdir(root)).sort(), names);
  }
});

test('1,000 calls at once are all answered, wrong ones too', async () => {
  await server.put('a.txt', 'one\n');
  const inputs: [string, Record<string, unknown>, RegExp][] = [
    ['edit_files', { edits: [{ path: 'a.txt', oldText: 'one', newText: 'two' }], dryRun: true }, /^Dry run/],
    ['edit_files', { edits: [{ path: 'a.txt', oldText: 'none', newText: 'two' }] }, /does not occur/],
    ['write_files', { files: [{ path: '../x', content: '' }] }, /contains "\.\."/],
    ['move_files', { moves: [{ from: 'a.txt' }] }, /moves\[0\]\.to/],
    ['apply_patch', { patch: 'x', dryRun: 1 }, /dryRun/],
  ];
  const calls = Array.from({ length: 1000 }, async (_, index) => {
    const [name, input, expected] = inputs[index % inputs.length] ?? [];
    const reply = await server.call(name ?? '', input ?? {});
    assert.match(reply.text, expected ?? /./);
    assert.equal(/\n\s+at /.test(reply.text), false);
  });
  await Promise.all(calls);
  assert.equal(await server.content('a.txt'), 'one\n');
});

test('T9: a change that changes nothing writes nothing', async () => {
  await server.put('a.txt', '\ufeffsame\r\n');
  const before = await stat(join(root, 'a.txt'), { bigint: true });
  const reply = await server.call('write_files', { files: [{ path: 'a.txt', content: 'same\n', overwrite: true }] });
  assert.equal(reply.structured.files[0]?.change, 'unchanged');
  assert.equal(reply.structured.diff, '');
  const back = await server.call('restore_files', { changeId: reply.structured.changeId });
  assert.equal(back.structured.files[0]?.change, 'unchanged');
  const now = await stat(join(root, 'a.txt'), { bigint: true });
  assert.deepEqual([now.ino, now.mtimeNs], [before.ino, before.mtimeNs]);
});
