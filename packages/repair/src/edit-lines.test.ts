import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyEdits, lineEditOf, textEditOf, unifiedDiff } from './edit-lines.ts';
import { temporaryWorkspace } from './fixtures/temporary-workspace.ts';

const texts = fc
  .array(fc.constantFrom('a', 'b', '\n', '😀', '\r\n', ' '), { maxLength: 40 })
  .map((parts) => parts.join(''));

test('a line edit means the same change as the exact edit it was made from', () => {
  const property = fc.property(texts, fc.nat(), fc.nat(5), texts, (text, start, length, after) => {
    const offset = text.length === 0 ? 0 : start % (text.length + 1);
    const edit = { path: 'a', offset, before: text.slice(offset, offset + length), after };
    const lines = lineEditOf(text, edit);
    const exact = textEditOf(text, lines);
    assert.ok(exact);
    assert.equal(applyEdits(text, [exact]), applyEdits(text, [edit]));
    assert.ok(exact.offset === 0 || text[exact.offset - 1] === '\n');
  });
  fc.assert(property, { numRuns: 300 });
});

test('an edit that does not find what it replaces is refused', () => {
  assert.equal(applyEdits('abc', [{ path: 'a', offset: 1, before: 'x', after: 'y' }]), undefined);
  assert.equal(textEditOf('a\nb', { path: 'a', line: 2, oldText: 'c', newText: 'd' }), undefined);
  assert.equal(textEditOf('a\nb', { path: 'a', line: 9, oldText: '', newText: 'd' }), undefined);
});

test('several edits of one text do not disturb each other', () => {
  const edits = [
    { path: 'a', offset: 0, before: 'a', after: 'long' },
    { path: 'a', offset: 2, before: 'c', after: '' },
  ];
  assert.equal(applyEdits('abcd', edits), 'longbd');
});

test('git apply takes the diff, at the borders of a file and without a last newline too', async (t) => {
  const lines = Array.from({ length: 12 }, (_, index) => `line ${index}\n`);
  const cases: [string, string][] = [
    [lines.join(''), lines.join('').replace('line 6', 'changed\nmore')],
    [lines.join(''), lines.join('').replace('line 0\n', '')],
    ['a\nb', 'a\nc'],
    ['only\n', 'new\n'],
  ];
  for (const [before, after] of cases) {
    const root = await temporaryWorkspace(t, { 'src/x.mjs': before });
    writeFileSync(join(root, 'p.diff'), unifiedDiff('src/x.mjs', before, after));
    const git = spawnSync('git', ['apply', 'p.diff'], { cwd: root, encoding: 'utf8' });
    assert.equal(git.status, 0, git.stderr);
    assert.equal(readFileSync(join(root, 'src/x.mjs'), 'utf8'), after);
  }
});
