import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256, unifiedDiff } from '@capstan/workspace';
import fc from 'fast-check';
import { parsePatch } from './parse-patch.ts';
import { applyHunks } from './plan-patch.ts';

const lines = fc.array(fc.constantFrom('a', 'b', '', '  c', '-- x', '++ y', '@@ z', '你好', '\\ n', '--- a/f'), {
  maxLength: 14,
});
const texts = fc.tuple(lines, fc.boolean()).map(([parts, ended]) => {
  return parts.length === 0 ? '' : `${parts.join('\n')}${ended || parts.at(-1) === '' ? '\n' : ''}`;
});

test('T3: the diff of two texts, applied to the first, gives the second, in any line end', () => {
  fc.assert(
    fc.property(texts, texts, fc.constantFrom('\n', '\r\n'), (first, second, lineEnd) => {
      fc.pre(first !== second && first !== '' && second !== '');
      const [before, after] = [first, second].map((text) => Buffer.from(text.replaceAll('\n', lineEnd)));
      assert.ok(before && after);
      const parsed = parsePatch(unifiedDiff('dir/f.txt', before, after));
      assert.ok('files' in parsed, JSON.stringify(parsed));
      const [file] = parsed.files;
      assert.deepEqual([file?.act, file?.path, parsed.files.length], ['change', 'dir/f.txt', 1]);
      const state = { bytes: before, sha256: sha256(before), mode: 0o644 };
      const change = applyHunks({ path: 'dir/f.txt', before: state, after: before, notes: [] }, file?.hunks ?? []);
      assert.ok(!('failure' in change), JSON.stringify(change));
      // A text of a single line end has nothing to say about that of its only line.
      if (first.includes('\n') || lineEnd === '\n') assert.equal(String(change.after), String(after));
    }),
    { numRuns: 500 },
  );
});

test('T3: a header that promises too many or too few lines does not swallow the next file', () => {
  const file = (name: string, counts: string) => `--- a/${name}\n+++ b/${name}\n@@ ${counts} @@\n-old\n+new\n`;
  for (const counts of ['-1 +1', '-1,9 +1,9', '-1,0 +1,0', '...']) {
    const parsed = parsePatch(file('x', counts) + file('y', counts));
    assert.ok('files' in parsed);
    assert.deepEqual(
      parsed.files.map(({ path, hunks }) => [path, hunks[0]?.oldText, hunks[0]?.newText]),
      ['x', 'y'].map((path) => [path, 'old\n', 'new\n']),
    );
  }
});

test('T3: what stands between and after files is no part of them: empty lines, the signature of format-patch', () => {
  const file = (name: string) =>
    `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1,2 +1,2 @@\n-old\n+new\n\n`;
  const parsed = parsePatch(`Subject: change\n\n${file('x')}\n\n${file('y')}-- \n2.39.5\n\n`);
  assert.ok('files' in parsed, JSON.stringify(parsed));
  assert.deepEqual(
    parsed.files.map(({ hunks }) => hunks[0]?.oldText),
    ['old\n\n', 'old\n\n'],
  );
  const short = parsePatch('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n\n last\n');
  assert.ok('files' in short);
  assert.equal(short.files[0]?.hunks[0]?.oldText, 'old\n\nlast\n', 'nothing is dropped when a header promises too few');
});

test('T4: no text makes the parser throw or hang', () => {
  const pieces = fc.constantFrom(
    '--- a/x',
    '+++ b/x',
    '@@ -1 +1 @@',
    '+a',
    '-a',
    ' a',
    '\\',
    '"',
    'diff ',
    '/dev/null',
    '\0',
    '--- ',
    '+++ ',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 20 }), (parts) => {
      const parsed = parsePatch(parts.join('\n'));
      assert.ok('problem' in parsed || parsed.files.length > 0);
    }),
    { numRuns: 1000 },
  );
});
