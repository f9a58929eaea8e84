import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstBytes, lastBytes } from './cut-output.ts';
import { OutputWindow } from './output-window.ts';

function windowOf(...texts: string[]): OutputWindow {
  const window = new OutputWindow();
  for (const text of texts) window.addText(text);
  return window;
}

test('T7: short output is shown whole, long output by head and tail with what is left out counted', () => {
  assert.deepEqual(windowOf('one\n', 'two\n').show(100), { text: 'one\ntwo\n', dropped: 0 });
  const numbers = Array.from({ length: 5000 }, (_, index) => `line ${index}\n`);
  const { text, dropped } = windowOf(...numbers).show(1000);
  assert.match(text, /^line 0\nline 1\n/);
  assert.match(text, /line 4998\nline 4999\n$/);
  const left = Number(/\[\.\.\. (\d+) bytes left out \.\.\.\]/.exec(text)?.[1]);
  assert.equal(left, dropped);
  assert.equal(dropped, numbers.join('').length - text.replace(/\n\[.*\]\n/, '').length);
});

test('T7: a flood keeps its true end', () => {
  const window = windowOf('start\n');
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  for (let count = 0; count < 20; count += 1) window.add('stdout', chunk);
  window.addText('\nthe end\n');
  const { text, dropped } = window.show(8192);
  assert.match(text, /^start\nx/);
  assert.match(text, /x\nthe end\n$/);
  assert.ok(dropped > 20 * 1024 * 1024 - 8192);
  assert.equal(window.lastLine(), 'the end');
});

test('characters that were cut between chunks and streams come together again', () => {
  const window = new OutputWindow();
  const bytes = Buffer.from('漢');
  window.add('stdout', bytes.subarray(0, 1));
  window.add('stderr', Buffer.from('error '));
  window.add('stdout', bytes.subarray(1));
  assert.equal(window.show(100).text, 'error 漢');
});

test('T7: whatever was written, what is shown fits, is well-formed and printable', () => {
  const texts = fc.array(fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constant('漢😀'.repeat(3000))));
  fc.assert(
    fc.property(texts, fc.integer({ min: 0, max: 9000 }), (pieces, limit) => {
      const { text, dropped } = windowOf(...pieces).show(limit);
      assert.ok(Buffer.byteLength(text) <= limit, `${Buffer.byteLength(text)} > ${limit}`);
      assert.ok(text.isWellFormed() && dropped >= 0);
      assert.doesNotMatch(text, /[^\P{Cc}\n\t]/u);
    }),
  );
});

test('beginnings and ends are cut at characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, bytes) => {
      const [first, last] = [firstBytes(text, bytes), lastBytes(text, bytes)];
      assert.ok(text.startsWith(first) && text.endsWith(last));
      assert.ok(Buffer.byteLength(first) <= bytes && Buffer.byteLength(last) <= bytes);
    }),
  );
});
