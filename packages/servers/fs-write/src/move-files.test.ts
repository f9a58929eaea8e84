import assert from 'node:assert/strict';
import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { WriteServer } from './testing/write-server.ts';

const server = await WriteServer.open();
const { root, base } = server;
const move = (moves: Record<string, unknown>[], dryRun = false) => server.call('move_files', { moves, dryRun });

beforeEach(async () => {
  await server.empty();
  await server.put('a.bin', Buffer.from('\0\xff binary', 'latin1'));
  await server.put('b.txt', 'b\r\n');
});
after(() => server.end());

test('T6 T9: many files move in one call, bytes and mode kept; a dry run says just that', async () => {
  await chmod(join(root, 'a.bin'), 0o755);
  const moves = [
    { from: 'a.bin', to: 'deep/er/a.bin' },
    { from: 'b.txt', to: '新.txt' },
  ];
  const dry = await move(moves, true);
  assert.match(dry.text, /^Dry run: .*moved a\.bin to deep\/er\/a\.bin.*rename from b\.txt\nrename to 新\.txt/s);
  assert.deepEqual((await readdir(root)).sort(), ['a.bin', 'b.txt']);
  const done = await move(moves);
  assert.equal(done.structured.diff, dry.structured.diff);
  assert.deepEqual(
    done.structured.files.map(({ change, from, path }) => [change, from, path]),
    [
      ['moved', 'a.bin', 'deep/er/a.bin'],
      ['moved', 'b.txt', '新.txt'],
    ],
  );
  assert.equal(await server.content('deep/er/a.bin'), '\0\xff binary');
  assert.equal((await stat(join(root, 'deep/er/a.bin'))).mode & 0o777, 0o755);
  assert.deepEqual((await readdir(root)).sort(), ['deep', '新.txt']);
});

test('T3: a move is taken back, what it replaced too', async () => {
  await server.put('there.txt', 'was there');
  const refused = await move([{ from: 'b.txt', to: 'there.txt' }]);
  assert.equal(refused.code, 'exists');
  assert.equal(await server.content('there.txt'), 'was there');
  const { structured } = await move([{ from: 'b.txt', to: 'there.txt', overwrite: true }]);
  assert.equal(await server.content('there.txt'), 'b\r\n');
  const back = await server.call('restore_files', { changeId: structured.changeId });
  assert.equal(back.code, undefined, back.text);
  assert.equal(await server.content('there.txt'), 'was there');
  assert.equal(await server.content('b.txt'), 'b\r\n');
});

test('all or none: a move that cannot be made keeps the others from being made', async () => {
  const first = { from: 'b.txt', to: 'c.txt' };
  await symlink('b.txt', join(root, 'link'));
  await server.put('folder/x', '');
  const bad: [Record<string, unknown>, RegExp][] = [
    [{ from: 'nothing', to: 'x' }, /not-found/],
    [{ from: 'b.txt', to: 'd.txt' }, /bad-argument/],
    [{ from: 'a.bin', to: 'c.txt' }, /bad-argument/],
    [{ from: 'a.bin', to: 'a.bin' }, /bad-argument/],
    [{ from: 'a.bin', to: 'folder' }, /not-a-file/],
    [{ from: 'a.bin', to: 'b.txt/c' }, /not-a-f/],
    [{ from: 'folder', to: 'other' }, /not-a-file/],
    [{ from: 'link', to: 'other' }, /not-a-file/],
    [{ from: 'a.bin', to: '.env' }, /path-refused/],
    [{ from: 'a.bin', to: '.git/hooks/pre-commit' }, /path-refused/],
    [{ from: 'a.bin', to: '../outside' }, /path-refused/],
    [{ from: 'a.bin', to: 'x', ifHash: '0123456789' }, /stale-file/],
  ];
  for (const [move2, expected] of bad) {
    const reply = await move([first, move2]);
    assert.match(reply.code ?? 'none', expected, JSON.stringify(move2));
  }
  assert.deepEqual((await readdir(root)).sort(), ['a.bin', 'b.txt', 'folder', 'link']);
  assert.deepEqual((await readdir(base)).sort(), ['root', 'state']);
});

test('T3: capital letters alone make another name here, with a warning where another file is so called', async () => {
  const renamed = await move([{ from: 'b.txt', to: 'B.txt' }]);
  assert.equal(renamed.code, undefined, renamed.text);
  assert.deepEqual(renamed.structured.files[0]?.notes, []);
  assert.deepEqual((await readdir(root)).sort(), ['B.txt', 'a.bin']);
  const second = await server.call('write_files', { files: [{ path: 'b.TXT', content: 'x' }] });
  assert.match(second.text, /"B\.txt" beside it is the same name on macOS and Windows/);
  const moved = await move([{ from: 'a.bin', to: 'b.txt' }]);
  assert.match(moved.text, /Warning: .* same name on macOS/);
});

test('a move that is called again with its call id happens once', async () => {
  const input = { moves: [{ from: 'b.txt', to: 'c.txt' }] };
  const first = await server.call('move_files', input, 'move-1');
  await writeFile(join(root, 'b.txt'), 'new');
  const again = await server.call('move_files', input, 'move-1');
  assert.equal(again.text, first.text);
  assert.equal(await readFile(join(root, 'b.txt'), 'utf8'), 'new');
});
