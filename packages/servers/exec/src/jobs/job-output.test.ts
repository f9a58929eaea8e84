import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { JobOutput } from './job-output.ts';
import { PlainStream } from './plain-stream.ts';

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'capstan-output-'));
  t.after(() => rmSync(path, { recursive: true }));
  return path;
}

const plain = (...pieces: string[]): string => {
  const stream = new PlainStream();
  return pieces.map((text) => stream.write(Buffer.from(text))).join('') + stream.end();
};

test('T10: control sequences are gone and progress bars are folded, in whatever pieces they come', () => {
  assert.equal(plain('\u001b[3', '1mred\u001b[', '0m\nnext'), 'red\nnext');
  assert.equal(plain('a\r\nb\r', '\nc'), 'a\nb\nc');
  assert.equal(plain('FAIL\rPASS\n'), 'FAIL\nPASS\n', 'what was written over once is no progress bar');
  assert.equal(plain('  0%\r', ' 50%\r', '100%\r', '\ndone\n'), '[2 earlier states of this line]\n100%\ndone\n');
  const bar = Array.from({ length: 5000 }, (_, index) => `${index} of 5000 ${'#'.repeat(40)}\r`);
  assert.equal(plain(...bar, '\n'), `[4999 earlier states of this line]\n4999 of 5000 ${'#'.repeat(40)}\n`);
  assert.equal(plain('漢'.repeat(40_000)), '漢'.repeat(40_000), 'a line without an end goes out in pieces');
});

test('T10: text in any pieces is the same text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '漢', '😀', '\n', ' ', '-'), maxLength: 60 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(20), { minLength: 1 }), (written, sizes) => {
      const bytes = Buffer.from(written);
      const stream = new PlainStream();
      let read = '';
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const size = 1 + (sizes[turn % sizes.length] ?? 0);
        read += stream.write(bytes.subarray(at, at + size));
        at += size;
      }
      assert.equal(read + stream.end(), written);
    }),
  );
});

test('T10: reading on from each next offset gives all that is kept, and says what is not', (t) => {
  const base = folder(t);
  let count = 0;
  const lines = fc.array(fc.string({ unit: fc.constantFrom('a', '漢', '😀'), maxLength: 30 }), { maxLength: 40 });
  fc.assert(
    fc.property(lines, fc.integer({ min: 8, max: 50 }), (texts, limit) => {
      count += 1;
      const output = new JobOutput(join(base, String(count)), { kept: 300, tail: 100 });
      const written = texts.map((text) => `${text}\n`).join('');
      for (const text of texts) output.add('stdout', Buffer.from(`${text}\n`));
      output.finish();
      assert.equal(output.total, Buffer.byteLength(written));
      let read = '';
      let skipped = 0;
      for (let offset = 0; offset < output.total; ) {
        const piece = output.read(offset, limit);
        assert.ok(piece.nextOffset > offset, 'it goes on');
        offset = piece.nextOffset;
        skipped += piece.skipped;
        read += piece.text;
      }
      if (output.total <= 300) assert.equal(read, written);
      else assert.ok(Buffer.byteLength(read) >= 300 && Buffer.byteLength(read) + skipped <= output.total + 4);
      assert.ok(written.endsWith(read.slice(-20).replace(/^\ufffd+/u, '')));
      assert.ok(Buffer.byteLength(output.show(200).text) <= 200);
      output.remove();
    }),
  );
});

test('T10: a text is found where it stands, beyond what the file holds too', (t) => {
  const output = new JobOutput(join(folder(t), 'one'), { kept: 1000, tail: 200 });
  output.add('stdout', Buffer.from(`begin\n${'x'.repeat(500)}\nListening\n`));
  assert.equal(output.find('Listening', 0), 507);
  assert.equal(output.find('Listening', 508), undefined);
  output.add('stderr', Buffer.from(`${'y'.repeat(2000)}\nReady\n`));
  assert.equal(output.find('Ready', 0), output.total - 6);
  assert.equal(output.lastLine(), 'Ready');
  output.remove();
});
