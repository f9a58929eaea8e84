import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fenced } from './prompt-material.ts';

test('T2: no material can end the fence that it stands in', () => {
  const piece = fc.constantFrom('`', '``', '```', '````', 'a', '\n', '中');
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      const lines = fenced(text).split('\n');
      const fence = lines[0] ?? '';
      assert.match(fence, /^`{3,}$/);
      assert.ok(!text.includes(fence));
      assert.equal(lines.at(-1), fence);
    }),
  );
});
