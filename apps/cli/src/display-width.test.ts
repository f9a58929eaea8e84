import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { displayWidth, fitEnd } from './display-width.ts';

test('Chinese, full-width forms and emoji take two cells, marks on a character none', () => {
  assert.deepEqual(['abc', '修复测试', 'ｆ', '🎉', 'e\u0301', '│├ …'].map(displayWidth), [3, 8, 2, 2, 1, 4]);
});

test('a text that fits stays, and one that does not is cut to fit', () => {
  assert.equal(fitEnd('修复测试', 8), '修复测试');
  assert.equal(fitEnd('修复测试', 7), '修复测…');
  assert.equal(fitEnd('修复测试', 6), '修复…');
  assert.equal(fitEnd('abc', 0), '');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, limit) => {
      const fitted = fitEnd(text, limit);
      assert.ok(displayWidth(fitted) <= limit);
      if (displayWidth(text) <= limit) assert.equal(fitted, text);
    }),
  );
});
