import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { printable, printableValue } from './printable.ts';

test('T3: nothing harmful is left, and what is harmless stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = printable(text);
      for (const character of shown) {
        const code = character.codePointAt(0) ?? 0;
        assert.ok(
          character === '\n' || character === '\t' || (code >= 0x20 && (code < 0x7f || code > 0x9f)),
          `U+${code.toString(16)}`,
        );
      }
      assert.equal(printable(shown), shown);
    }),
  );
  assert.equal(printable('修复 é\n\t"x"'), '修复 é\n\t"x"');
  assert.equal(printable('a\u001b[31mb\u202ec'), 'a\\u{1b}[31mb\\u{202e}c');
});

test('T3: keys and nested members are made printable too', () => {
  assert.deepEqual(printableValue({ 'a\u0007': ['\u001b', { b: 1 }], c: null }), {
    'a\\u{7}': ['\\u{1b}', { b: 1 }],
    c: null,
  });
});
