import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ServedRepository } from './testing/served-repository.ts';

const served = new ServedRepository();
const { root, base } = served;
let first = '';

before(async () => {
  served.init('.');
  served.put('src/sum.mjs', 'export const sum = (a, b) => a - b;\n');
  served.put('你好 世界.txt', '第一行\n');
  served.put('.env', 'TOKEN=first-secret\n');
  first = served.commit('.', 'Add sum\n\nA body with "quotes" and 中文.');
  served.git('.', 'tag', '-a', 'v1', '-m', 'one');
  served.put('src/sum.mjs', 'export const sum = (a, b) => a + b;\n');
  served.put('.env', 'TOKEN=second-secret\n');
  served.put('latin.txt', Buffer.from('caf\xe9\n', 'latin1'));
  served.put('gbk.txt', Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0xca, 0xc0, 0xbd, 0xe7, 0x0a]));
  served.commit('.', 'Add, not subtract');
  served.git('.', 'branch', 'feature/x', first);
  await served.start();
});
after(() => served.stop());

/** Every file below a folder with its content and times. */
function digestOf(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(folder, name);
    const { mtimeMs, ctimeMs, size, mode } = lstatSync(path);
    hash.update(`${name} ${mtimeMs} ${ctimeMs} ${size} ${mode}\n`);
    if (lstatSync(path).isFile()) hash.update(readFileSync(path));
  }
  return hash.digest('hex');
}

describe('git-read through its process', () => {
  test('T1 T5: six read-only tools, in 15 KB of schema', async () => {
    const { tools } = await served.client.listTools();
    assert.ok(Buffer.byteLength(JSON.stringify({ tools })) <= 15 * 1024);
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['git_status', 'git_diff', 'git_log', 'git_show', 'git_blame', 'git_branches'],
    );
    for (const tool of tools) {
      assert.equal(tool.annotations?.readOnlyHint, true);
      assert.ok((tool.description ?? '').length <= 500, tool.name);
    }
  });

  test('T3: status, diff, log, show, blame and branches, and not a byte or time of the git folder changes', async () => {
    served.put('src/sum.mjs', 'export const sum = (a, b) => a + b; // changed\n');
    served.put('new file.txt', 'new\n');
    const earlier = digestOf(join(root, '.git'));
    const status = await served.call('git_status');
    assert.equal(status.structured.branch, 'main');
    assert.deepEqual(status.structured.entries, [
      { path: 'src/sum.mjs', unstaged: 'modified' },
      { path: 'new file.txt', unstaged: 'untracked' },
    ]);
    assert.match((await served.call('git_diff')).text, /-export const sum = \(a, b\) => a \+ b;\n\+export.*changed/);
    assert.equal((await served.call('git_diff', { staged: true })).structured.totalFiles, 0);
    const log = await served.call('git_log');
    assert.deepEqual(
      log.structured.commits.map(({ message }: { message: string }) => message),
      ['Add, not subtract', 'Add sum\n\nA body with "quotes" and 中文.'],
    );
    assert.equal(log.structured.commits[0].author, 'Ann 安');
    assert.deepEqual(log.structured.commits[1].refs, ['tag: v1', 'feature/x']);
    assert.match((await served.call('git_show', { revision: 'v1', path: 'src/sum.mjs' })).text, /a - b/);
    const blame = await served.call('git_blame', { path: 'src/sum.mjs' });
    assert.equal(blame.structured.lines[0].commit, 'not committed');
    const then = await served.call('git_blame', { path: 'src/sum.mjs', revision: 'v1' });
    assert.equal(then.structured.lines[0].commit, first);
    const branches = await served.call('git_branches');
    assert.deepEqual(
      branches.structured.branches
        .map(({ name, kind, current }: Record<string, unknown>) => [name, kind, current])
        .sort(),
      [
        ['feature/x', 'branch', false],
        ['main', 'branch', true],
        ['v1', 'tag', false],
      ],
    );
    assert.equal(digestOf(join(root, '.git')), earlier);
    assert.deepEqual(readdirSync(join(base, 'state', 'views')), []);
    served.git('.', 'checkout', '-q', '--', 'src/sum.mjs');
    rmSync(join(root, 'new file.txt'));
  });

  test('T3: contents of secret files are in no reply, and each reply says that they are left out', async () => {
    const replies = [
      await served.call('git_diff', { from: first, to: 'HEAD' }),
      await served.call('git_diff', { from: first, to: 'HEAD', paths: ['.env', 'src'] }),
      await served.call('git_show'),
      await served.call('git_show', { revision: first }),
      await served.call('git_show', { path: '.env' }),
      await served.call('git_blame', { path: '.env' }),
      await served.call('git_show', { revision: first, path: 'src/../.env' }),
    ];
    for (const reply of replies) {
      assert.doesNotMatch(JSON.stringify(reply), /-secret/);
      assert.match(reply.text, /secret file|contains "\.\."/);
    }
    assert.match(replies[0]?.text ?? '', /a \+ b/);
  });

  test('T3: names and contents in Chinese, GBK, Latin-1, with line ends and of broken UTF-8 are shown as they are', async () => {
    served.init('names');
    served.put('names/two\nlines.txt', 'x\n');
    served.put('names/quote".txt', 'x\n');
    served.put(Buffer.from('names/\xe4\xf6.txt', 'latin1'), 'x\n');
    served.put('names/-dash.txt', 'x\n');
    served.put('names/:(top)a.txt', 'magic\n');
    served.commit('names', 'Odd names');
    const shown = await served.call('git_show', { repository: 'names' });
    assert.deepEqual(
      shown.structured.files.map(({ path }: { path: string }) => path).sort(),
      ['-dash.txt', ':(top)a.txt', 'quote".txt', 'two\nlines.txt', '\\344\\366.txt'].sort(),
    );
    for (const path of ['-dash.txt', ':(top)a.txt', 'two\nlines.txt']) {
      const old = await served.call('git_show', { repository: 'names', path });
      assert.match(old.structured?.text ?? old.text, /^(x|magic)$/, path);
      const log = await served.call('git_log', { repository: 'names', paths: [path] });
      assert.equal(log.structured.commits.length, 1, path);
    }
    const mixed = await served.call('git_show', { revision: 'HEAD' });
    assert.match(mixed.text, /你好世界|café/);
    assert.doesNotMatch(JSON.stringify(mixed), /\ufffd/);
    assert.match((await served.call('git_show', { path: 'gbk.txt' })).text, /你好世界/);
    assert.match((await served.call('git_show', { path: 'latin.txt' })).text, /café/);
    assert.match((await served.call('git_show', { path: '你好 世界.txt' })).text, /第一行/);
    rmSync(join(root, 'names'), { recursive: true });
  });

  test('T7: long outputs come by pages that lose no line', async () => {
    served.init('long');
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index} ${'x'.repeat(20)}`);
    served.put('long/big.txt', lines.join('\n'));
    served.put('long/wide.txt', 'y'.repeat(100_000));
    served.commit('long', 'Big');
    const seen: string[] = [];
    for (let fromLine: number | undefined = 1, calls = 0; fromLine !== undefined && calls < 20; calls += 1) {
      const page = await served.call('git_show', { repository: 'long', path: 'big.txt', fromLine });
      assert.ok(Buffer.byteLength(page.text) <= 32 * 1024);
      seen.push(...page.structured.text.split('\n'));
      fromLine = page.structured.nextLine;
    }
    assert.deepEqual(seen, lines);
    const patch: string[] = [];
    for (let fromLine: number | undefined = 1, calls = 0; fromLine !== undefined && calls < 20; calls += 1) {
      const page = await served.call('git_show', { repository: 'long', fromLine });
      assert.ok(Buffer.byteLength(page.text) <= 32 * 1024);
      patch.push(...page.structured.text.split('\n'));
      fromLine = page.structured.nextLine;
    }
    assert.deepEqual(
      patch.filter((line) => line.startsWith('+line')).map((line) => line.slice(1)),
      lines,
    );
    rmSync(join(root, 'long'), { recursive: true });
  });

  test('T4: text that git could take for an option, a path or magic stays what it is', async () => {
    const marker = join(base, 'written');
    const revisions = [
      `--output=${marker}`,
      '-O/etc/passwd',
      '--upload-pack=touch',
      'HEAD:.env',
      ':/Add',
      'a b',
      'HEAD\n-x',
    ];
    for (const revision of revisions) {
      for (const [tool, key] of [
        ['git_log', 'revision'],
        ['git_show', 'revision'],
        ['git_diff', 'from'],
      ] as const) {
        assert.equal((await served.call(tool, { [key]: revision })).code, 'bad-argument', `${tool} ${revision}`);
      }
    }
    for (const path of ['/etc/passwd', '../x', '..', 'a\\b', 'a\0b', '']) {
      assert.ok((await served.call('git_log', { paths: [path] })).code, path);
    }
    const odd = await served.call('git_log', {
      author: `--output=${marker}`,
      message: `--output=${marker}`,
      since: '--all',
    });
    assert.equal(odd.structured.commits.length, 0);
    assert.equal((await served.call('git_log', { message: 'a\0b' })).code, 'bad-argument');
    assert.throws(() => lstatSync(marker));
  });
});

test('T3: a copy without a git folder is read with the history of its checkout, of which not a byte changes', async (t) => {
  const copy = new ServedRepository();
  t.after(() => copy.stop());
  const checkout = join(copy.base, 'checkout');
  mkdirSync(checkout);
  for (const [name, content] of [
    ['a.txt', 'one\n'],
    ['b.txt', 'two\n'],
  ] as const) {
    writeFileSync(join(checkout, name), content);
    copy.put(name, content);
  }
  copy.git('../checkout', 'init', '-q');
  copy.git('../checkout', 'add', '.');
  copy.git('../checkout', 'commit', '-qm', 'both');
  copy.put('b.txt', 'changed in the copy\n');
  copy.put('c.txt', 'new\n');
  const earlier = digestOf(checkout);
  await copy.start(['--git-folder', join(checkout, '.git')]);
  assert.deepEqual((await copy.call('git_status')).structured.entries, [
    { path: 'b.txt', unstaged: 'modified' },
    { path: 'c.txt', unstaged: 'untracked' },
  ]);
  assert.match((await copy.call('git_diff')).text, /\+changed in the copy/);
  assert.equal((await copy.call('git_log', { paths: ['a.txt'] })).structured.commits.length, 1);
  assert.equal((await copy.call('git_blame', { path: 'b.txt' })).structured.lines[0].commit, 'not committed');
  assert.equal(digestOf(checkout), earlier);
});
