import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, open, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ReadServer } from './testing/read-server.ts';

const server = await ReadServer.prepare();
const { root } = server;
const read = (...paths: string[]) => server.call('read_files', { files: paths.map((path) => ({ path })) });

before(async () => {
  await server.put('Same.txt', 'large letter\n');
  await server.put('same.txt', 'small letter\n');
  await server.put('broken.txt', Buffer.from('a \xff\xfe b \x80\n', 'latin1'));
  await server.put('nul.txt', Buffer.from('text\0text\n'));
  await symlink('loop-b', join(root, 'loop-a'));
  await symlink('loop-a', join(root, 'loop-b'));
  await mkdir(join(root, 'cycle'));
  await symlink('..', join(root, 'cycle/up'));
  // A name of bytes that are no UTF-8, and one that looks the same when it is shown.
  await writeFile(Buffer.concat([Buffer.from(join(root, 'bad-')), Buffer.of(0xff)]), 'needle in a bad name\n');
  await server.put('after-bad.txt', 'needle\n');
  await server.start();
});
after(() => server.end());

test('T3: names that differ in capital letters only are two files', async () => {
  const { text } = await read('Same.txt', 'same.txt');
  assert.match(text, /== Same\.txt .*\nlarge letter\n[\s\S]*== same\.txt .*\nsmall letter/);
});

test('T3: links in a circle end, by every tool', async () => {
  assert.equal((await read('loop-a')).failure?.code, 'path-refused');
  assert.equal((await read('cycle/up/cycle/up/same.txt')).text.includes('small letter'), true);
  const listed = await server.call('list_files', { depth: 32 });
  assert.equal(listed.text.split('\n').filter((line) => line.startsWith('cycle/')).length, 2);
  assert.match(
    (await server.call('stat_files', { paths: ['loop-a', 'cycle/up'] })).text,
    /loop-a: link.*\ncycle\/up: link/,
  );
  assert.match((await server.call('show_tree', {})).text, /cycle\/ 0 files/);
});

test('T3: sockets and FIFOs are named, and never opened', async () => {
  execFileSync('mkfifo', [join(root, 'fifo')]);
  const socket = createServer().listen(join(root, 'socket'));
  await new Promise((resolve) => socket.once('listening', resolve));
  assert.equal((await read('fifo')).failure?.code, 'not-a-file');
  assert.equal((await read('socket')).failure?.code, 'not-a-file');
  assert.match((await server.call('stat_files', { paths: ['fifo', 'socket'] })).text, /fifo: other.*\nsocket: other/);
  assert.equal((await server.call('search_text', { pattern: 'anything' })).failure, undefined);
  await new Promise((resolve) => socket.close(resolve));
  await rm(join(root, 'fifo'));
});

test('names and contents that are no UTF-8 disturb nothing beside them', async () => {
  const found = await server.call('search_text', { pattern: 'needle' });
  assert.match(found.text, /after-bad\.txt:1: needle/);
  assert.match(found.text, /skipped/);
  assert.ok((await server.call('list_files', {})).text.includes('bad-\ufffd'));
  assert.equal((await read('bad-\ufffd')).failure?.code, 'not-found');
  assert.match((await read('broken.txt')).text, /latin1\)\na ÿþ b /);
  assert.match((await read('nul.txt')).text, /content is binary/);
  assert.ok((await server.client.listResources()).resources.some((resource) => resource.name === 'after-bad.txt'));
});

test('very long names and paths: listed where the system has them, refused where it cannot', async () => {
  const name = 'n'.repeat(200);
  let folder = root;
  const parts: string[] = [];
  // Deeper than a path can be: made step by step, as a hostile archive would.
  for (let depth = 0; depth < 25; depth += 1) {
    execFileSync('mkdir', [name], { cwd: folder });
    parts.push(name);
    if (Buffer.byteLength(join(folder, name)) > 3500) break;
    folder = join(folder, name);
  }
  execFileSync(
    'sh',
    [
      '-c',
      `cd ${name} && mkdir ${name} && cd ${name} && mkdir ${name} && cd ${name} && mkdir ${name} && echo needle > ${name}/deep.txt`,
    ],
    { cwd: folder },
  );
  assert.equal((await read('x'.repeat(256))).failure?.code, 'path-refused');
  assert.equal((await read('x/'.repeat(2500))).failure?.code, 'path-refused');
  const found = await server.call('search_text', { pattern: 'needle', limit: 500 });
  assert.match(found.text, /deep\.txt:1: needle/);
  const listed = await server.call('list_files', { path: parts.slice(0, 10).join('/'), depth: 32 });
  assert.equal(listed.failure, undefined, listed.text);
  assert.match(listed.text, /deep\.txt$/);
  execFileSync('rm', ['-r', join(root, name)]);
});

test('T7: 10 MiB and more are never sent: cut in a tool, refused as a resource', async () => {
  await server.put('large.txt', Buffer.alloc(12 * 1024 * 1024, 'needle and more\n'));
  assert.ok(Buffer.byteLength((await read('large.txt')).text) <= 32 * 1024);
  await assert.rejects(server.client.readResource({ uri: 'workspace:///large.txt' }), /a message carries at most/);
  await rm(join(root, 'large.txt'));
  await server.put('one-line.txt', 'needle '.repeat(200_000));
  const found = await server.call('search_text', { pattern: 'needle', contextLines: 5, glob: 'one-line.txt' });
  assert.ok(Buffer.byteLength(found.text) < 1000);
  await rm(join(root, 'one-line.txt'));
});

test('a file that is replaced while it is read is read whole, as it was or as it is', async () => {
  const versions = ['a', 'b'].map((letter) => `${letter.repeat(40)}\n`.repeat(2000));
  let replacing = true;
  const replacer = (async () => {
    for (let round = 0; replacing; round += 1) {
      await writeFile(join(root, 'moving.new'), versions[round % 2] ?? '');
      await rename(join(root, 'moving.new'), join(root, 'moving.txt'));
    }
  })();
  const seen = new Set<string>();
  for (let round = 0; round < 30; round += 1) {
    const { structured, failure } = await read('moving.txt');
    if (failure?.code === 'not-found') continue;
    assert.equal(failure, undefined);
    const [file] = structured.files as { text: string; totalLines: number }[];
    assert.equal(file?.totalLines, 2000);
    seen.add(new Set(file?.text.replaceAll('\n', '')).size.toString());
  }
  replacing = false;
  await replacer;
  assert.deepEqual([...seen], ['1'], 'never two versions in one reply');
  await rm(join(root, 'moving.txt'), { force: true });
});

test('a file that grows or shrinks in place does not break a reply', async () => {
  const handle = await open(join(root, 'growing.txt'), 'w');
  let growing = true;
  const grower = (async () => {
    for (let round = 0; growing; round += 1) {
      if (round % 50 === 49) await handle.truncate(0);
      await handle.appendFile('needle line\n');
    }
  })();
  for (let round = 0; round < 25; round += 1) {
    const replies = await Promise.all([
      read('growing.txt'),
      server.call('search_text', { pattern: 'needle', glob: 'growing.txt' }),
      server.call('stat_files', { paths: ['growing.txt'] }),
    ]);
    for (const { failure } of replies) assert.equal(failure, undefined);
  }
  growing = false;
  await grower;
  await handle.close();
});

test('a search that is cancelled ends, and the next call is answered', async () => {
  const controller = new AbortController();
  const call = server.client.callTool(
    { name: 'search_text', arguments: { pattern: 'nowhere' } },
    { signal: controller.signal },
  );
  controller.abort();
  await assert.rejects(call);
  assert.equal((await read('same.txt')).failure, undefined);
});

test('T8: what the system closes is refused, and the rest is answered; root may open everything', async () => {
  await server.put('closed/a.txt', 'needle\n');
  await chmod(join(root, 'closed'), 0);
  const expected = process.getuid?.() === 0 ? undefined : 'path-refused';
  const calls: [string, Record<string, unknown>][] = [
    ['read_files', { files: [{ path: 'closed/a.txt' }] }],
    ['list_files', { path: 'closed' }],
    ['search_text', { pattern: 'needle', path: 'closed' }],
    ['stat_files', { paths: ['closed/a.txt'] }],
    ['show_tree', { path: 'closed' }],
  ];
  for (const [name, input] of calls) assert.equal((await server.call(name, input)).failure?.code, expected, name);
  assert.match((await server.call('search_text', { pattern: 'needle' })).text, /after-bad\.txt:1: needle/);
  await chmod(join(root, 'closed'), 0o755);
  await rm(join(root, 'closed'), { recursive: true });
});

test('no file stays open after all that', async () => {
  await server.call('list_files', {});
  const open = await readdir(`/proc/${server.pid}/fd`);
  const { length } = open;
  for (let round = 0; round < 20; round += 1) {
    await Promise.all([read('same.txt', 'loop-a', 'nothing'), server.call('search_text', { pattern: 'x' })]);
    await server.call('stat_files', { paths: ['same.txt', '.', 'loop-a', 'nothing'] });
  }
  assert.ok((await readdir(`/proc/${server.pid}/fd`)).length <= length + 2);
});

test('T8: when the workspace is gone each tool says so, without a stack trace', async () => {
  await rename(root, `${root}-away`);
  const calls: [string, Record<string, unknown>][] = [
    ['read_files', { files: [{ path: 'same.txt' }] }],
    ['list_files', {}],
    ['search_text', { pattern: 'x' }],
    ['stat_files', { paths: ['.'] }],
    ['show_tree', {}],
  ];
  for (const [name, input] of calls) {
    const { failure, text } = await server.call(name, input);
    assert.equal(failure?.code, 'workspace-lost', name);
    assert.match(text, /^The folder that this server works in is gone\. Hint: /);
  }
  await rename(`${root}-away`, root);
  assert.equal((await read('same.txt')).failure, undefined);
});
