import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { link, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ReadServer } from './testing/read-server.ts';

const canary = 'CANARY-OUTSIDE';

const server = await ReadServer.prepare();
const { base, root } = server;
const put = (path: string, content: string | Buffer) => server.put(path, content);
const call = (name: string, input: Record<string, unknown>) => server.call(name, input);

before(async () => {
  await put('src/sum.mjs', 'export function sum(a, b) {\n  return a - b;\n}\n');
  await put('src/中文.txt', '第一行\n搜索这里\n');
  await put('src/gbk.txt', Buffer.from('\xc4\xe3\xba\xc3 x\r\n', 'latin1'));
  await put('src/latin1.txt', Buffer.from('caf\xe9\n', 'latin1'));
  await put('src/utf16.txt', Buffer.from('\ufeffwide\n', 'utf16le'));
  await put('src/binary.bin', Buffer.from('sum\0sum'));
  await put('src/slow.txt', `${'a'.repeat(60)}b\n`);
  await put('long.txt', Array.from({ length: 5000 }, (_, index) => `line ${index + 1} of the long file\n`).join(''));
  await put('wide.txt', 'wide '.repeat(20_000));
  await put('dist/out.js', 'sum');
  await put('.gitignore', 'dist/\n');
  await put('.env', canary);
  await put('.git/config', canary);
  await put('.git/hooks/pre-commit', canary);
  await writeFile(join(base, 'outside.txt'), canary);
  await symlink(join(base, 'outside.txt'), join(root, 'link-out'));
  await symlink(base, join(root, 'folder-out'));
  await symlink('.env', join(root, 'innocent.txt'));
  await link(join(base, 'outside.txt'), join(root, 'hard-link'));
  execFileSync('mkfifo', [join(root, 'fifo')]);
  await server.start();
});
after(() => server.end());

describe('read_files', () => {
  test('T6: reads many files in one call, with digests, encodings and lines', async () => {
    const paths = ['src/sum.mjs', 'src/gbk.txt', 'src/latin1.txt', 'src/utf16.txt', 'nothing'];
    const { text, structured } = await call('read_files', { files: paths.map((path) => ({ path })) });
    const digest = createHash('sha256')
      .update(await readFile(join(root, 'src/sum.mjs')))
      .digest('hex');
    assert.match(text, /== src\/sum\.mjs \(lines 1-3 of 3, sha256 [0-9a-f]{12}\)\nexport function sum\(a, b\) \{\n/);
    assert.match(text, /gbk, crlf line ends\)\n你好 x\n/);
    assert.match(text, /latin1\)\ncafé\n/);
    assert.match(text, /utf-16le\)\nwide\n/);
    assert.match(text, /== nothing: not read\. There is nothing at "nothing"/);
    assert.equal((structured as { files: { sha256: string }[] }).files[0]?.sha256, digest);
  });

  test('shows a range, with numbers where wanted, and says what is cut', async () => {
    const range = await call('read_files', {
      files: [{ path: 'long.txt', fromLine: 40, toLine: 41 }],
      lineNumbers: true,
    });
    assert.match(range.text, /lines 40-41 of 5000.*\n40\| line 40 of the long file\n41\| line 41/);
    const whole = await call('read_files', {
      files: [{ path: 'long.txt' }, { path: 'wide.txt' }, { path: 'src/sum.mjs' }],
    });
    assert.ok(Buffer.byteLength(whole.text) <= 32 * 1024);
    const next = Number(/go on with fromLine (\d+)/.exec(whole.text)?.[1]);
    assert.ok(whole.text.includes(`line ${next - 1} of`) && !whole.text.includes(`line ${next} of`));
    assert.match(whole.text, /long line cut/);
    assert.match(whole.text, /return a - b/);
  });

  test('T6: the last lines are read by counting from the end', async () => {
    const tail = await call('read_files', {
      files: [
        { path: 'long.txt', fromLine: -2 },
        { path: 'src/sum.mjs', fromLine: -99 },
      ],
    });
    assert.match(tail.text, /lines 4999-5000 of 5000.*\nline 4999 of the long file\nline 5000 of the long file\n/);
    assert.match(tail.text, /lines 1-3 of 3/);
    assert.match(
      (await call('read_files', { files: [{ path: 'a', fromLine: 0 }] })).text,
      /counted from 1, or from -1/,
    );
  });

  test('T7: a small image is shown as one; what cannot be shown is linked as a resource', async () => {
    const png = (bytes: number) => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(bytes)]);
    await put('small.jpg', png(2000));
    await put('large.png', png(60_000));
    const paths = ['small.jpg', 'large.png', 'src/binary.bin', 'src/sum.mjs'];
    const { text, content } = await call('read_files', { files: paths.map((path) => ({ path })) });
    assert.match(text, /== small\.jpg \(image\/png, 2008 bytes, sha256 [0-9a-f]{12}\)/);
    assert.match(text, /== large\.png: not read\. The image \(image\/png, 60008 bytes\) is too large/);
    assert.match(text, /== src\/binary\.bin: not read\. The content is binary \(7 bytes\)/);
    assert.deepEqual(content[1], { type: 'image', mimeType: 'image/png', data: png(2000).toString('base64') });
    assert.deepEqual(
      content.flatMap((part) => (part.type === 'resource_link' ? [part.uri] : [])),
      ['workspace:///large.png', 'workspace:///src/binary.bin'],
    );
    assert.match(text, /return a - b/);
    await Promise.all([rm(join(root, 'small.jpg')), rm(join(root, 'large.png'))]);
  });

  test('T4: wrong ranges and binary files are explained', async () => {
    assert.match(
      (await call('read_files', { files: [{ path: 'src/sum.mjs', fromLine: 9 }] })).text,
      /has 3 lines only/,
    );
    assert.match((await call('read_files', { files: [{ path: 'src/binary.bin' }] })).text, /content is binary/);
    assert.match(
      (await call('read_files', { files: [{ path: 'a', fromline: 1 }] })).text,
      /Leave out "fromline"; known here: path, fromLine, toLine/,
    );
    assert.match((await call('read_files', { files: [] })).text, /files: Too small/);
  });

  const refused = [
    ...['../outside.txt', join('/', 'etc/passwd'), 'link-out', 'folder-out/outside.txt', 'hard-link', 'innocent.txt'],
    ...['.env', '.ENV', '.git/config', '.git/hooks/pre-commit', '.GIT/HOOKS/pre-commit', 'src/sum.mjs\0'],
  ];
  for (const path of refused) {
    test(`T3: ${JSON.stringify(path)} is refused`, async () => {
      const { text, failure } = await call('read_files', { files: [{ path }] });
      assert.equal(failure?.code, 'path-refused');
      assert.equal(text.includes(canary), false);
    });
  }

  test('T3: a FIFO and a folder do not hang the server', async () => {
    assert.equal((await call('read_files', { files: [{ path: 'fifo' }] })).failure?.code, 'not-a-file');
    assert.equal((await call('read_files', { files: [{ path: 'src' }] })).failure?.code, 'not-a-file');
  });

  test('T6: of a file over 16 MiB the first and the last lines are read; one below is shown in part', async () => {
    const lines = Buffer.alloc(17 * 1024 * 1024, 'a line of 16 by.\n');
    await put('huge.txt', Buffer.concat([Buffer.from('first 第一\n'), lines, Buffer.from('\nlast 最后\n')]));
    await put('large.txt', Buffer.alloc(15 * 1024 * 1024, 'large line\n'));
    await put('endless.txt', Buffer.alloc(17 * 1024 * 1024, 'x'));
    const huge = (range: object) => call('read_files', { files: [{ path: 'huge.txt', ...range }] });
    assert.match(
      (await huge({ toLine: 2 })).text,
      /\(lines 1-2 of 178258\d\d bytes\)\nfirst 第一\na line of 16 by\.\n$/,
    );
    assert.match((await huge({ fromLine: -1 })).text, /\(last lines of 178258\d\d bytes\)\nlast 最后\n$/);
    assert.match(
      (await huge({ fromLine: 900_000 })).text,
      /only the ends of its \d+ bytes are read.*negative fromLine/,
    );
    assert.match((await call('read_files', { files: [{ path: 'large.txt' }] })).text, /go on with fromLine/);
    assert.match((await call('read_files', { files: [{ path: 'endless.txt' }] })).text, /no text with lines/);
    for (const name of ['huge', 'large', 'endless']) await rm(join(root, `${name}.txt`));
  });
});

describe('list_files', () => {
  test('lists by depth and glob, without ignored and secret files', async () => {
    const all = (await call('list_files', {})).text.split('\n');
    assert.ok(
      all.includes('src/') && all.includes('src/sum.mjs') && all.includes('link-out@') && all.includes('src/中文.txt'),
    );
    assert.equal(
      all.some((line) => /^(\.env|\.git\/|dist)/.test(line)),
      false,
    );
    assert.equal((await call('list_files', { glob: '*.mjs' })).text, 'src/sum.mjs');
    assert.equal((await call('list_files', { path: 'dist', ignored: true })).text, 'dist/out.js');
    assert.match((await call('list_files', { limit: 2 })).text, /more than 2 entries/);
    assert.equal((await call('list_files', { glob: '*.nothing' })).text, '(no file matches *.nothing)');
  });

  test('T6: pages put together are the whole listing, and no folder hides the others', async () => {
    for (let index = 0; index < 40; index += 1) await put(`many/file-${index}.txt`, '');
    const whole = await call('list_files', { path: 'many', limit: 1000 });
    assert.equal((whole.structured as { entries: unknown[] }).entries.length, 40);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await call('list_files', { path: 'many', limit: 7, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.text.split('\n').filter((line) => !line.startsWith('(')));
      cursor = page.structured.nextCursor as string | undefined;
    } while (cursor !== undefined);
    assert.deepEqual(seen, whole.text.split('\n'));
    const shared = await call('list_files', { limit: 60 });
    assert.match(shared.text, /\(25 more in many\/: give it as path to see them\)/);
    assert.ok(shared.text.split('\n').includes('wide.txt'), 'what comes after the large folder is shown');
    assert.match((await call('list_files', { path: 'many', cursor: 'src/a' })).text, /no place .* in this listing/);
    await rm(join(root, 'many'), { recursive: true });
  });

  test('T3: does not leave the workspace', async () => {
    for (const path of ['..', 'folder-out', '/', '.git/hooks']) {
      assert.equal((await call('list_files', { path })).failure?.code, 'path-refused', path);
    }
    assert.equal((await call('list_files', { path: 'src/sum.mjs' })).failure?.code, 'not-a-folder');
  });
});

describe('search_text', () => {
  test('finds text, Chinese too, with context, and skips what is not text', async () => {
    const found = await call('search_text', { pattern: 'return a', contextLines: 1 });
    assert.match(
      found.text,
      /src\/sum\.mjs-1- export function sum.*\nsrc\/sum\.mjs:2: {3}return a - b;\nsrc\/sum\.mjs-3- }/,
    );
    assert.match((await call('search_text', { pattern: '搜索' })).text, /src\/中文\.txt:2: 搜索这里/);
    assert.match((await call('search_text', { pattern: '你好' })).text, /src\/gbk\.txt:1: 你好 x/);
    const sums = await call('search_text', { pattern: 'SUM', ignoreCase: true });
    assert.match(sums.text, /1 matches in \d+ files searched; \d+ skipped/);
    assert.equal((await call('search_text', { pattern: canary })).text.includes(canary), false);
  });

  test('a file may be named itself, a large one too', async () => {
    assert.match((await call('search_text', { pattern: 'line 4999', path: 'long.txt' })).text, /^long\.txt:4999: /);
    await put('huge.log', Buffer.concat([Buffer.alloc(5 * 1024 * 1024, 'log line\n'), Buffer.from('needle\n')]));
    assert.match(
      (await call('search_text', { pattern: 'needle', path: 'huge.log' })).text,
      /^huge\.log:582543: .*needle/,
    );
    const first = await call('search_text', { pattern: 'line', path: 'long.txt', limit: 2 });
    const second = await call('search_text', {
      pattern: 'line',
      path: 'long.txt',
      limit: 2,
      cursor: first.structured.nextCursor,
    });
    assert.match(second.text, /^long\.txt:3: [^\n]*\nlong\.txt:4: /);
    for (const [path, code] of [
      ['.env', 'path-refused'],
      ['link-out', 'path-refused'],
      ['fifo', 'not-a-file'],
      ['nothing', 'not-found'],
    ])
      assert.equal((await call('search_text', { pattern: 'x', path })).failure?.code, code, path);
    await rm(join(root, 'huge.log'));
  });

  test('takes regular expressions; invalid and endless ones are explained', async () => {
    assert.match(
      (await call('search_text', { pattern: 'sum\\(\\w+, \\w+\\)', regex: true, glob: '*.mjs' })).text,
      /sum\.mjs:1:/,
    );
    assert.match(
      (await call('search_text', { pattern: 'a(', regex: true })).text,
      /pattern is not valid.*Hint: Correct it/,
    );
    const slow = await call('search_text', { pattern: '^(a+)+$', regex: true, glob: 'slow.txt' });
    assert.match(slow.text, /takes too long on src\/slow\.txt/);
  });

  test('T4: half a character is searched for and not found, and the server goes on', async () => {
    const { structured } = await call('search_text', { pattern: 'a\ud800' });
    assert.deepEqual(structured.matches, []);
    assert.match((await call('list_files', {})).text, /src\//);
  });

  test('T6: pages put together are the whole search, each match once', async () => {
    const all = await call('search_text', { pattern: 'line 1', limit: 500 });
    assert.equal(all.structured.complete, false, 'one reply cannot hold them');
    const lines: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await call('search_text', {
        pattern: 'line 1',
        limit: 130,
        ...(cursor === undefined ? {} : { cursor }),
      });
      const { matches, nextCursor } = page.structured as { matches: { line: number }[]; nextCursor?: string };
      lines.push(...matches.map((match) => String(match.line)));
      cursor = nextCursor;
      pages += 1;
    } while (cursor !== undefined);
    const expected = Array.from({ length: 5000 }, (_, index) => String(index + 1)).filter((line) =>
      line.startsWith('1'),
    );
    assert.deepEqual(lines, expected);
    assert.equal(pages, Math.ceil(expected.length / 130));
  });

  test('T4: a cursor of another search, a pattern of two lines and an empty folder are explained', async () => {
    for (const cursor of ['nonsense', '../x:1', 'src:0x1', 'long.txt:1']) {
      const wrong = await call('search_text', { pattern: 'line', path: 'src', cursor });
      assert.match(wrong.text, /no place .* in this search.*leave it out to begin anew/, cursor);
    }
    assert.match((await call('search_text', { pattern: 'a\nb' })).text, /more than one line.*most telling line/);
    assert.equal((await call('search_text', { pattern: 'x', path: 'nothing' })).failure?.code, 'not-found');
  });

  test('ends at its limit and says so', async () => {
    const few = await call('search_text', { pattern: 'line', limit: 3 });
    assert.match(few.text, /long\.txt:3:.*ended early/s);
    const many = await call('search_text', { pattern: 'line', limit: 500, contextLines: 5 });
    assert.ok(Buffer.byteLength(many.text) <= 32 * 1024);
  });
});

describe('stat_files and show_tree', () => {
  test('T6: say of many files in one call what they are', async () => {
    await put('marked.txt', '\ufeffa\r\nb');
    const paths = [
      'src/gbk.txt',
      'marked.txt',
      'src',
      'link-out',
      'fifo',
      'src/binary.bin',
      'hard-link',
      'nothing',
      '.env',
      '.',
    ];
    const { text, structured } = await call('stat_files', { paths });
    const digest = createHash('sha256').update('\ufeffa\r\nb').digest('hex');
    const files = structured.files as { kind?: string; sha256?: string; entries?: number }[];
    assert.deepEqual(
      files.map((file) => file.kind),
      ['file', 'file', 'folder', 'link', 'other', 'file', 'file', undefined, undefined, 'folder'],
    );
    assert.equal(files[1]?.sha256, digest);
    assert.match(
      text,
      /src\/gbk\.txt: file, 8 bytes, changed \d{4}-.*Z, mode 0644, 1 lines, gbk, crlf line ends, sha256/,
    );
    assert.match(text, /marked\.txt: .* 2 lines, utf-8 with byte order mark, crlf line ends/);
    assert.match(text, /binary\.bin: .* binary, sha256/);
    assert.match(text, /hard-link: file, 14 bytes, [^\n]*mode \d{4}\n/, 'the content of a hard link is not looked at');
    assert.match(text, /nothing: There is nothing.*\n\.env: .*secrets/);
    await rm(join(root, 'marked.txt'));
  });

  test('T3: tell nothing of what lies outside, of secrets and of git', async () => {
    for (const path of ['../outside.txt', 'folder-out/outside.txt', '.env', '.ENV', '.git/config', '/', 'a\0']) {
      assert.equal((await call('stat_files', { paths: [path] })).failure?.code, 'path-refused', path);
    }
    assert.equal((await call('show_tree', { path: 'folder-out' })).failure?.code, 'path-refused');
    assert.equal((await call('show_tree', { path: 'fifo' })).failure?.code, 'not-a-folder');
  });

  test('show folders with what is below them, bounded by depth and number', async () => {
    await put('deep/a/b/c/one.txt', 'x'.repeat(20_000));
    await put('deep/a/two.txt', 'xx');
    assert.equal(
      (await call('show_tree', { path: 'deep' })).text,
      'deep/ 2 files, 20 kB\n  a/ 2 files, 20 kB\n    b/ 1 files, 20 kB',
    );
    assert.match(
      (await call('show_tree', { limit: 2 })).text,
      /^\.\/ \d+ files, .*\n {2}src\/ \d+ files.*\n\(\d smaller folders/,
    );
    assert.equal((await call('show_tree', {})).text.includes('dist'), false);
    await rm(join(root, 'deep'), { recursive: true });
  });
});

test('1,000 small calls at once are all answered', async () => {
  const calls = Array.from({ length: 1000 }, () => call('read_files', { files: [{ path: 'src/sum.mjs' }] }));
  const texts = new Set((await Promise.all(calls)).map((reply) => reply.text));
  assert.equal(texts.size, 1);
});

test('F10: swapping files and folders for links leaks nothing through the real process, in 1,000 calls', async () => {
  await put('real/outside.txt', 'inside');
  let swapping = true;
  const swaps = (async () => {
    for (let round = 0; swapping; round += 1) {
      const out = round % 2 === 0;
      await symlink(out ? '../outside.txt' : 'real/outside.txt', join(root, 'swap.new'));
      await rename(join(root, 'swap.new'), join(root, 'swap.txt'));
      await symlink(out ? '..' : 'real', join(root, 'folder.new'));
      await rename(join(root, 'folder.new'), join(root, 'swap'));
    }
  })();
  let inside = 0;
  for (let round = 0; round < 500; round += 1) {
    const replies = await Promise.all([
      call('read_files', { files: [{ path: 'swap.txt' }, { path: 'swap/outside.txt' }] }),
      call('search_text', { pattern: 'CANARY', path: 'swap' }),
    ]);
    for (const reply of replies) assert.equal(reply.text.includes(canary), false);
    if (replies[0]?.text.includes('inside')) inside += 1;
  }
  swapping = false;
  await swaps;
  assert.ok(inside > 0);
});
