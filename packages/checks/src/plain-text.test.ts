import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { plainText } from './plain-text.ts';

test('control sequences are gone and nothing that was written is hidden', () => {
  assert.equal(plainText('\u001b[31mred\u001b[0m \u001b[2K\u001b[1Aup'), 'red up');
  assert.equal(plainText('\u001b]0;title\u0007text \u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\'), 'text link');
  assert.equal(plainText('FAIL\rPASS\r\nnext'), 'FAIL\nPASS\nnext');
  assert.equal(plainText('secret\b\b\b\b\b\bpublic'), 'secretpublic');
  assert.equal(plainText('a\u202eb\u2066c\u{e0041}'), 'abc');
  assert.equal(plainText('tab\tand 漢字 😀 stay'), 'tab\tand 漢字 😀 stay');
  assert.equal(plainText('open \u001b]0;never closed\nnext line'), 'open \nnext line');
});

test('any text becomes well-formed, printable, and stays as it is the second time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const plain = plainText(text);
      assert.ok(plain.isWellFormed());
      assert.doesNotMatch(plain, /[^\P{Cc}\n\t]/u);
      assert.equal(plainText(plain), plain);
    }),
  );
});
