import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const code = fileURLToPath(new URL('../../../..', import.meta.url));
const canary = 'CANARYOUTSIDE';

let base: string;
let root: string;
let state: string;
let client: Client;

async function put(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}

interface Manifest {
  readonly capstan: {
    readonly server: { readonly read: string[]; readonly write: string[]; readonly childProcess: boolean };
  };
}

/** Started as the gateway starts it: with the permissions of its package.json, and a cleared environment. */
async function start(): Promise<Client> {
  const { server } = (JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as Manifest)
    .capstan;
  assert.equal(server.childProcess, false);
  const fill = (path: string) => path.replace('{root}', root).replace('{state}', state);
  const rights = [
    ...[code, ...server.read].map((path) => `--allow-fs-read=${fill(path)}`),
    ...server.write.map((path) => `--allow-fs-write=${fill(path)}`),
    '--allow-addons',
  ];
  const args = ['--disable-warning=SecurityWarning', '--permission', ...rights, main, '--root', root, '--state', state];
  const started = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await started.connect(new StdioClientTransport({ command: process.execPath, args, env: {}, stderr: 'inherit' }));
  return started;
}

interface Structured {
  readonly files: { path: string; lines: { line: number; text: string }[]; symbols: unknown[]; error?: string }[];
  readonly lines: { path: string; line: number }[];
  readonly nextCursor?: string;
  readonly index: { files: number; complete: boolean; note?: string };
  readonly [count: string]: unknown;
}

async function call(name: string, input: Record<string, unknown>, to = client) {
  const result = await to.callTool({ name, arguments: input });
  const first = result.content[0];
  return {
    text: first?.type === 'text' ? first.text : '',
    structured: (result.structuredContent ?? {}) as unknown as Structured,
    failure: result._meta?.['capstan/failure'] as { code: string; level: string; hint?: string } | undefined,
  };
}

async function found(query: string, more: Record<string, unknown> = {}): Promise<string[]> {
  return (await call('search_ranked', { query, ...more })).structured.files.map((file) => file.path);
}

before(async () => {
  base = await mkdtemp(join(tmpdir(), 'capstan-knowledge-'));
  root = join(base, 'root');
  state = join(base, 'state');
  await mkdir(state);
  await put(
    'src/retry-upload.ts',
    'export function delayRetry(attempt: number) {\n  return 2 ** attempt; // wait longer each time\n}\n',
  );
  await put('src/room.py', 'class RoomBook:\n    def reserve_room(self, guest_name):\n        pass\n');
  await put('src/use.ts', "import { delayRetry } from './retry-upload.ts';\ndelayRetry(1);\n");
  await put('docs/登录.md', '# 用户登录\n登录失败时显示错误信息。\n');
  await put('docs/gbk.txt', Buffer.from('\xc4\xe3\xba\xc3 \xca\xc0\xbd\xe7\r\n', 'latin1'));
  await put('src/latin1.txt', Buffer.from('caf\xe9 delayed\n', 'latin1'));
  await put('src/broken.txt', Buffer.from('delayed \xff\xfe\xc3\x28 bytes\n', 'latin1'));
  await put('minified.js', `var a=1;${'function q(){return 1};'.repeat(20_000)}zebraStripes();`);
  await put('data.bin', Buffer.from('zebra\0'));
  await put('large.log', Buffer.alloc(10 * 1024 * 1024, 'zebra in a large file\n'));
  await put('dist/out.js', `${canary} zebra`);
  await put('.gitignore', 'dist/\n');
  await put('.env', `${canary} zebra`);
  await put('.git/config', canary);
  await writeFile(join(base, 'outside.txt'), `${canary} zebra`);
  await symlink(join(base, 'outside.txt'), join(root, 'link-out'));
  await symlink('.', join(root, 'loop'));
  await link(join(base, 'outside.txt'), join(root, 'hard-link'));
  execFileSync('mkfifo', [join(root, 'fifo')]);
  client = await start();
});
after(async () => {
  await client.close();
  await rm(base, { recursive: true, force: true });
});

describe('search_ranked', () => {
  test('T11: finds by words, parts of names and their endings, and shows lines and symbols', async () => {
    const { text, structured } = await call('search_ranked', {
      query: 'how long is the delay between retries of an upload?',
    });
    assert.equal(structured.files[0]?.path, 'src/retry-upload.ts');
    assert.match(
      text,
      /^1\. src\/retry-upload\.ts {2}\[function delayRetry \(line 1\)\]\n {3}1: export function delayRetry/,
    );
    assert.equal((await found('guest names for reserving rooms'))[0], 'src/room.py');
    assert.match(text, /\(ranked by keywords\)\n\(index: \d+ files, compared with the files just now\)$/);
  });

  test('T11: finds Chinese by words, by one character, and in GBK', async () => {
    assert.deepEqual(await found('登录失败'), ['docs/登录.md']);
    assert.deepEqual(await found('息'), ['docs/登录.md']);
    assert.deepEqual(await found('世界'), ['docs/gbk.txt']);
  });

  test('T11: never opens secrets, ignored files, links, second hard links, FIFOs; large and binary files go by path', async () => {
    assert.deepEqual(await found(canary), []);
    assert.deepEqual(await found('zebra stripes'), ['minified.js']);
    assert.deepEqual((await found('large log'))[0], 'large.log');
  });

  test('T11: what changes, appears and goes between two calls is seen', async () => {
    await put('src/new.ts', 'const quokka = 1;\n');
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    assert.deepEqual(await found('quokka'), ['src/new.ts']);
    await put('src/new.ts', 'const wombat = 1;\n');
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    assert.deepEqual([await found('quokka'), await found('wombat')], [[], ['src/new.ts']]);
    await rm(join(root, 'src/new.ts'));
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    assert.deepEqual(await found('wombat'), []);
  });

  test('T4 T11: any text is a query, and none is syntax', async () => {
    for (const query of [
      '"',
      "'",
      'NEAR(a b)',
      'a*',
      '-x',
      'path:x',
      '^',
      '\0',
      '🙂',
      'AND OR NOT',
      ' ',
      '字',
      '{}',
      '%_\\',
      'x'.repeat(20_000),
    ]) {
      const { failure } = await call('search_ranked', { query });
      assert.equal(failure, undefined, query.slice(0, 20));
    }
    assert.equal((await call('search_ranked', { query: '' })).failure?.level, 'param');
    assert.equal((await call('search_ranked', { query: 'x', folder: '../' })).failure?.code, 'path-refused');
  });

  test('folder and glob narrow before the limit does', async () => {
    assert.deepEqual((await found('delay', { glob: '*.txt' })).sort(), ['src/broken.txt', 'src/latin1.txt']);
    assert.equal((await found('delay', { glob: '*.txt', limit: 1 })).length, 1);
    assert.deepEqual(await found('登录', { folder: 'src' }), []);
  });
});

describe('find_text', () => {
  test('T11: gives every place in order, page by page, and what is not UTF-8 too', async () => {
    const first = await call('find_text', { text: 'delay', limit: 2 });
    assert.equal(first.structured.lines.length, 2);
    const second = await call('find_text', { text: 'delay', limit: 500, cursor: first.structured.nextCursor });
    assert.equal(second.structured.nextCursor, undefined);
    assert.deepEqual(
      [...first.structured.lines, ...second.structured.lines].map(({ path, line }) => `${path}:${line}`),
      ['src/broken.txt:1', 'src/latin1.txt:1', 'src/retry-upload.ts:1', 'src/use.ts:1', 'src/use.ts:2'],
    );
    assert.match((await call('find_text', { text: '你好' })).text, /docs\/gbk\.txt:1: 你好 世界/);
    assert.equal((await call('find_text', { text: canary })).structured.lines.length, 0);
  });

  test('T4: a cursor that nobody gave and a folder outside are explained', async () => {
    assert.match((await call('find_text', { text: 'x', cursor: 'nonsense' })).text, /Hint: Leave out cursor/);
    assert.equal((await call('find_text', { text: 'x', folder: '/etc' })).failure?.code, 'path-refused');
  });

  test('T7: a page stays within its size', async () => {
    const { text, structured } = await call('find_text', { text: 'zebra', limit: 500, glob: '*.log' });
    assert.ok(Buffer.byteLength(text) <= 16 * 1024 && structured.nextCursor !== undefined);
  });
});

test('T11: outline tells declarations by language, and explains files that it cannot read', async () => {
  const { text, structured } = await call('outline', {
    paths: ['src/retry-upload.ts', 'src/room.py', 'data.bin', '.env', 'docs/登录.md'],
  });
  assert.match(text, /== src\/retry-upload\.ts \(by syntax tree\)\n1: function delayRetry\n/);
  assert.match(text, /== src\/room\.py \(by line patterns\)\n1: class RoomBook\n {2}2: def reserve_room\n/);
  assert.match(text, /== docs\/登录\.md \(by line patterns\)\n1: heading 用户登录/);
  assert.deepEqual(
    structured.files.map((file) => file.error !== undefined),
    [false, false, true, true, false],
  );
  assert.equal((await call('outline', { paths: ['fifo'] })).failure?.code, 'not-a-file');
});

test('T11: the map begins with what others mention', async () => {
  const { structured, text } = await call('repository_map', {});
  assert.equal(structured.files[0]?.path, 'src/retry-upload.ts');
  assert.match(text, /^src\/retry-upload\.ts \(mentioned by 1\)\n {2}1: function delayRetry/);
  assert.ok(Buffer.byteLength((await call('repository_map', { budget: 200 })).text) < 400);
});

test('T11: refresh_index says what has no searchable words', async () => {
  const { structured } = await call('refresh_index', {});
  assert.deepEqual([structured.binary, structured.tooLarge, structured.unreadable], [1, 1, 1]);
});

test('T2 T11: documents are resources: listed, completed by a template, read, and nothing else is', async () => {
  const { resources } = await client.listResources();
  assert.deepEqual(
    resources.map(({ name }) => name),
    ['docs/gbk.txt', 'docs/登录.md', 'src/broken.txt', 'src/latin1.txt'],
  );
  const uri = resources[1]?.uri ?? '';
  assert.match(uri, /^knowledge:\/\/\/docs\/%E7/);
  const { contents } = await client.readResource({ uri });
  assert.deepEqual(contents, [{ uri, mimeType: 'text/markdown', text: '# 用户登录\n登录失败时显示错误信息。\n' }]);
  for (const path of ['.env', '..%2Foutside.txt', 'link-out', 'fifo', 'nothing.md', '%']) {
    await assert.rejects(
      client.readResource({ uri: `knowledge:///${path}` }),
      (error: Error) => !error.message.includes(canary),
    );
  }
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.equal(resourceTemplates[0]?.uriTemplate, 'knowledge:///{+path}');
});

test('1,000 calls at once are all answered', async () => {
  const calls = Array.from({ length: 1_000 }, (_, index) =>
    found(index % 2 === 0 ? 'reserve room' : '登录', { limit: 1 }),
  );
  assert.deepEqual(
    new Set((await Promise.all(calls)).map((files) => files[0])),
    new Set(['src/room.py', 'docs/登录.md']),
  );
});

test('T11: two servers share one index; a damaged index is set aside and made anew', async () => {
  const second = await start();
  try {
    const both = await Promise.all([found('reserve room'), call('search_ranked', { query: 'reserve room' }, second)]);
    assert.deepEqual([both[0][0], both[1].structured.files[0]?.path], ['src/room.py', 'src/room.py']);
  } finally {
    await second.close();
  }
  await client.close();
  const [name = ''] = (await readdir(state)).filter((file) => file.endsWith('.db'));
  // What was written last stands beside the file: a whole one would be brought back from there.
  for (const suffix of ['-wal', '-shm']) await rm(join(state, `${name}${suffix}`), { force: true });
  await writeFile(join(state, name), 'this is no database at all, and long enough to be looked at');
  client = await start();
  const { structured, text } = await call('search_ranked', { query: 'reserve room' });
  assert.equal(structured.files[0]?.path, 'src/room.py');
  assert.match(text, /The index file was damaged; it was set aside as knowledge-\w+\.db\.set-aside-1/);
});
