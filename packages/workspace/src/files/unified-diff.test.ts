import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyPatch } from 'diff';
import fc from 'fast-check';
import { unifiedDiff } from './unified-diff.ts';

test('a diff names its files and counts its lines', () => {
  const before = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join('');
  const diff = unifiedDiff('a.txt', Buffer.from(before), Buffer.from(before.replace('line 12\n', 'twelve\n')));
  const context = (from: number) => [0, 1, 2].map((index) => ` line ${from + index}\n`).join('');
  assert.equal(diff, `--- a/a.txt\n+++ b/a.txt\n@@ -9,7 +9,7 @@\n${context(9)}-line 12\n+twelve\n${context(13)}`);
  assert.match(
    unifiedDiff('a', undefined, Buffer.from('x\n')),
    /^--- \/dev\/null\n\+\+\+ b\/a\n@@ -0,0 \+1,1 @@\n\+x\n$/,
  );
  assert.match(
    unifiedDiff('a', Buffer.from('x'), undefined),
    /\+\+\+ \/dev\/null\n@@ -1,1 \+0,0 @@\n-x\n\\ No newline/,
  );
  assert.match(unifiedDiff('a', Buffer.from('x\0'), Buffer.from('y')), /binary content/);
});

const text = fc
  .tuple(fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n'), { maxLength: 25 }), fc.constantFrom('', 'end'))
  .map(([lines, end]) => lines.join('') + end);

test('a diff turns the old text into the new one', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = unifiedDiff('a', Buffer.from(before), Buffer.from(after));
      assert.equal(applyPatch(before, diff), after);
    }),
  );
});
