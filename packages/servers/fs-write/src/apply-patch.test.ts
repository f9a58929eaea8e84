import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { WriteServer } from './testing/write-server.ts';

const server = await WriteServer.open();
const { root, base } = server;
const apply = (patch: string, dryRun = false) => server.call('apply_patch', { patch, dryRun });
const numbers = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join('');

beforeEach(async () => {
  await server.empty();
  await server.put('a.txt', numbers);
  await server.put('old.txt', 'gone\nsoon\n');
});
after(() => server.end());

const patch = `diff --git a/a.txt b/a.txt
index 111..222 100644
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@
 line 1
-line 2
+line two
 line 3
@@ -28,3 +28,4 @@ some function
 line 28
-line 29
+line twenty-nine
+more
 line 30
diff --git a/made/new.txt b/made/new.txt
new file mode 100644
--- /dev/null
+++ b/made/new.txt
@@ -0,0 +1,2 @@
+你好
+last
\\ No newline at end of file
diff --git a/old.txt b/old.txt
deleted file mode 100644
--- a/old.txt
+++ /dev/null
@@ -1,2 +0,0 @@
-gone
-soon
`;

test('T6 T9: one patch changes, makes and deletes files as git apply does; a dry run writes nothing', async () => {
  const dry = await apply(patch, true);
  assert.match(dry.text, /^Dry run/);
  assert.equal(await server.content('a.txt'), numbers);
  const done = await apply(patch);
  assert.equal(done.code, undefined, done.text);
  assert.equal(done.structured.diff, dry.structured.diff);
  const theirs = join(base, 'theirs');
  execFileSync('mkdir', ['-p', theirs]);
  await writeFile(join(theirs, 'a.txt'), numbers);
  await writeFile(join(theirs, 'old.txt'), 'gone\nsoon\n');
  execFileSync('git', ['apply', '-'], { cwd: theirs, input: patch });
  for (const name of ['a.txt', 'made/new.txt'])
    assert.equal(await readFile(join(root, name), 'utf8'), await readFile(join(theirs, name), 'utf8'));
  assert.deepEqual((await readdir(root)).sort(), ['a.txt', 'made']);
  const back = await server.call('restore_files', { changeId: done.structured.changeId });
  assert.equal(back.code, undefined, back.text);
  assert.equal(await server.content('a.txt'), numbers);
  assert.equal(await server.content('old.txt'), 'gone\nsoon\n');
});

test('T3: numbers of lines are not trusted, texts are: no likeness is enough', async () => {
  const hunk = (lines: string, header = '@@ -900,1 +900,1 @@') => `--- a/a.txt\n+++ b/a.txt\n${header}\n${lines}`;
  assert.equal((await apply(hunk(' line 9\n-line 10\n+ten\n'))).code, undefined);
  assert.match(await server.content('a.txt'), /line 9\nten\nline 11/);
  const miss = await apply(hunk(' line 11\n-line 1O2\n+x\n'));
  assert.equal(miss.code, 'no-match');
  assert.match(miss.text, /Hunk 1 of 1: its old text does not occur.*nearest text is.*No file was changed/s);
  await server.put('a.txt', 'x\ny\nx\ny\n');
  assert.equal((await apply(hunk('-x\n+z\n'))).code, 'ambiguous-match');
  assert.equal((await apply(hunk('-x\n+z\n', '@@ -3 +3 @@'))).code, undefined);
  assert.equal(await server.content('a.txt'), 'x\ny\nz\ny\n');
  // "y" is a part of a line here: a hunk has whole lines.
  await server.put('a.txt', 'ay\nb\n');
  assert.equal((await apply(hunk('-y\n+z\n'))).code, 'no-match');
});

test('T3: encoding and line ends stay, indentation of the file is taken', async () => {
  await server.put('a.txt', '\ufeffif (x) {\r\n\treturn 1;\r\n}\r\n');
  const reply = await apply('--- a/a.txt\n+++ b/a.txt\n@@ @@\n if (x) {\n-    return 1;\n+    return 2;\n }\n');
  assert.match(reply.text, /white space folded/);
  assert.equal(await readFile(join(root, 'a.txt'), 'utf8'), '\ufeffif (x) {\r\n\treturn 2;\r\n}\r\n');
});

test('all or none: a second file that does not fit keeps the first from being changed', async () => {
  const second = '--- a/old.txt\n+++ b/old.txt\n@@ -1 +1 @@\n-other\n+text\n';
  assert.equal((await apply(`${patch.split('diff --git a/old')[0]}${second}`)).code, 'no-match');
  assert.equal(await server.content('a.txt'), numbers);
  assert.deepEqual((await readdir(root)).sort(), ['a.txt', 'old.txt']);
});

test('T4: what is no such patch is explained, and nothing is changed', async () => {
  const rows: [string, RegExp][] = [
    ['change it please', /there is no "--- a\/PATH"/],
    ['@@ -1 +1 @@\n-a\n+b', /line 1: a hunk without/],
    ['--- a/a.txt\n+++ b/a.txt\n', /no hunk \("@@"\) for a\.txt/],
    ['--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\nline 1\n', /line 4 begins with neither/],
    ['--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n line 1\n', /the hunk changes nothing/],
    ['--- a/a.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-line 1\n+x\n', /a\.txt would become b\.txt; use move_files/],
    ['rename from a.txt\nrename to b.txt\n', /use move_files/],
    ['--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n', /contains "\.\."/],
    ['--- /dev/null\n+++ b/.env\n@@ -0,0 +1 @@\n+A=1\n', /protected|secrets/],
    ['--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+A=1\n', /already a file/],
    ['--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n', /more text than the patch deletes/],
    ['--- a/nothing\n+++ b/nothing\n@@ -1 +1 @@\n-a\n+b\n', /nothing at "nothing"/],
    ['GIT binary patch\nliteral 3\n', /binary/],
  ];
  for (const [text, expected] of rows) {
    const reply = await apply(text);
    assert.notEqual(reply.code, undefined, text);
    assert.match(reply.text, expected);
  }
  assert.equal(await server.content('a.txt'), numbers);
});

test('a name that git quotes is found', async () => {
  await server.put('你 好.txt', 'a\n');
  const quoted = '"a/\\344\\275\\240 \\345\\245\\275.txt"';
  const reply = await apply(`--- ${quoted}\n+++ ${quoted.replace('a/', 'b/')}\n@@ -1 +1 @@\n-a\n+b\n`);
  assert.equal(reply.code, undefined, reply.text);
  assert.equal(await readFile(join(root, '你 好.txt'), 'utf8'), 'b\n');
});

test('what no longer parses is said, if it parsed before', async () => {
  await server.put('a.json', '{"a": 1}\n');
  await server.put('b.yaml', 'a: 1\nb: 2\n');
  await server.put('c.ts', 'export const one: number = 1;\n');
  await server.put('broken.json', '{,\n');
  const edit = async (path: string, oldText: string, newText: string) =>
    (await server.call('edit_files', { edits: [{ path, oldText, newText }] })).structured.files[0]?.notes ?? [];
  assert.match((await edit('a.json', '1}', '1')).join(), /Warning: it was valid JSON before and is not now: /);
  assert.deepEqual(await edit('a.json', '1', '1}'), []);
  assert.match((await edit('b.yaml', 'b: 2', 'b: [2')).join(), /valid YAML before/);
  assert.match((await edit('c.ts', '= 1;', '= ;')).join(), /valid TypeScript before and is not now: /);
  assert.deepEqual(await edit('c.ts', '= ;', '= 2;'), []);
  assert.deepEqual(await edit('broken.json', ',', ',,'), []);
});

test('T3: what configuration protects is not changed by any tool, under any name', async () => {
  const guarded = await WriteServer.open('--protect=keep/**', '--protect=*.lock');
  try {
    await guarded.put('keep/a.txt', 'a\n');
    await guarded.put('b.txt', 'b\n');
    await symlink('keep', join(guarded.root, 'way'));
    const patched = '--- a/keep/a.txt\n+++ b/keep/a.txt\n@@ -1 +1 @@\n-a\n+x\n';
    const calls: [string, Record<string, unknown>][] = [
      ['apply_patch', { patch: patched }],
      ['apply_patch', { patch: patched.replaceAll('keep/', 'way/') }],
      ['move_files', { moves: [{ from: 'keep/a.txt', to: 'c.txt' }] }],
      ['move_files', { moves: [{ from: 'b.txt', to: 'new.lock' }] }],
      ['edit_files', { edits: [{ path: './keep//a.txt', oldText: 'a', newText: 'x' }] }],
      ['write_files', { files: [{ path: 'way/new/deep.txt', content: '' }] }],
      ['delete_files', { paths: ['keep/a.txt'] }],
    ];
    for (const [name, input] of calls)
      assert.match((await guarded.call(name, input)).text, /is protected by the configuration/, JSON.stringify(input));
    assert.equal(await guarded.content('keep/a.txt'), 'a\n');
    assert.deepEqual((await readdir(guarded.root)).sort(), ['b.txt', 'keep', 'way']);
    assert.equal((await guarded.call('delete_files', { paths: ['b.txt'] })).code, undefined);
  } finally {
    await guarded.end();
  }
});
