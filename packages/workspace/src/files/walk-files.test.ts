import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileGlob } from './glob.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { walkFiles } from './walk-files.ts';

test('globs: names, folders, sets and alternatives', () => {
  const rows: [string, string[], string[]][] = [
    ['*.ts', ['a.ts', 'src/deep/a.ts'], ['a.tsx', 'ts']],
    ['src/*.ts', ['src/a.ts'], ['src/x/a.ts', 'a.ts']],
    ['src/**/*.ts', ['src/a.ts', 'src/x/y/a.ts'], ['lib/a.ts']],
    ['**/test/**', ['test/a', 'x/test/a/b'], ['testing/a']],
    ['*.{js,mjs}', ['a.js', 'x/a.mjs'], ['a.cjs']],
    ['[a-c]?.[!j]s', ['ax.ts', 'cz.ts'], ['dx.ts', 'ax.js']],
    ['/a.ts', ['a.ts'], ['x/a.ts']],
    ['你*', ['你好.txt'], ['好.txt']],
    ['a[b', ['a[b'], ['ab']],
  ];
  for (const [glob, yes, no] of rows) {
    for (const path of yes) assert.equal(compileGlob(glob)(path), true, `${glob} ${path}`);
    for (const path of no) assert.equal(compileGlob(glob)(path), false, `${glob} ${path}`);
  }
});

test('globs: a hostile pattern takes no time to speak of', () => {
  assert.equal(compileGlob(`${'*a'.repeat(500)}b`)('a'.repeat(4000)), false);
});

const name = fc.constantFrom('a', 'x', 'b', 'ab', 'build', 'a.log', 'b.log');
const pattern = fc
  .tuple(
    fc.constantFrom('', '!', '/'),
    fc.array(fc.oneof(name, fc.constantFrom('*', '**', '*.log', 'a*', '?', '[ab]')), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '/', ' '),
  )
  .map(([before, parts, after]) => `${before}${parts.join('/')}${after}`);

test('.gitignore rules decide as git does', async (t) => {
  const base = await mkdtemp(join(tmpdir(), 'capstan-ignore-'));
  t.after(() => rm(base, { recursive: true, force: true }));
  execFileSync('git', ['init', '-q', base]);
  const paths = [
    'a',
    'b',
    'ab',
    'a.log',
    'build/a',
    'build/b.log',
    'x/ab/a/b.log',
    'x/ab/b/a',
    'x/ab/build/a.log',
    'x/a',
  ];
  for (const path of paths) {
    await mkdir(dirname(join(base, 'tree', path)), { recursive: true });
    await writeFile(join(base, 'tree', path), '');
  }
  const samples = fc.sample(fc.array(pattern, { minLength: 1, maxLength: 4 }), { numRuns: 60, seed: 7 });
  for (const lines of samples) {
    await writeFile(join(base, 'tree/.gitignore'), `# comment\n${lines.join('\n')}\n`);
    const listed = execFileSync(
      'git',
      ['-C', join(base, 'tree'), 'ls-files', '-o', '--exclude-per-directory=.gitignore'],
      {
        encoding: 'utf8',
      },
    );
    const expected = listed
      .trim()
      .split('\n')
      .filter((path) => path !== '' && path !== '.gitignore');
    const seen: string[] = [];
    await walkFiles(join(base, 'tree'), '.', { depth: 9, ignore: true }, async (entry) => {
      if (entry.kind === 'file' && entry.path !== '.gitignore') seen.push(entry.path);
      return true;
    });
    assert.deepEqual(seen.sort(), expected.sort(), JSON.stringify(lines));
  }
});

test('T3: a walk follows no link and leaves out git and secrets; deeper rules win', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'capstan-walk-'));
  t.after(() => rm(root, { recursive: true, force: true }));
  for (const path of [
    '.git/config',
    '.env',
    'src/a.log',
    'src/keep.log',
    'src/b.ts',
    'out/x',
    'src/.gitignore',
    '.gitignore',
  ]) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), '');
  }
  await writeFile(join(root, '.gitignore'), '*.log\nout/\n');
  await writeFile(join(root, 'src/.gitignore'), '!keep.log\n');
  await symlink('/etc', join(root, 'etc'));
  const walk = async (start: string, depth: number, ignore = true) => {
    const seen: string[] = [];
    await walkFiles(root, start, { depth, ignore }, async (entry) => {
      seen.push(`${entry.path} ${entry.kind}`);
      return true;
    });
    return seen;
  };
  assert.deepEqual(await walk('.', 1), ['.gitignore file', 'etc link', 'src folder']);
  assert.deepEqual(await walk('src', 9), ['src/.gitignore file', 'src/b.ts file', 'src/keep.log file']);
  assert.equal((await walk('.', 9, false)).includes('out/x file'), true);
  assert.equal(new IgnoreRules('# a\n\n\\#b\nc\\ \n').decide('#b', false), 'ignored');
});
