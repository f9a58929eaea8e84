import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeLines } from './decode-lines.ts';
import { readRawChanges } from './raw-changes.ts';
import { showPath } from './show-path.ts';

const bytes = fc.uint8Array({ maxLength: 20 }).map((some) => Buffer.from(some.filter((byte) => byte !== 10)));

test('T7: any bytes become as many lines, and never a replacement character that was not there', () => {
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 20 }), (lines) => {
      const decoded = decodeLines(lines);
      assert.equal(decoded.lines.length, lines.length);
      const had = lines.some((line) => line.toString('utf8') !== line.toString('latin1') && line.includes('\ufffd'));
      assert.ok(had || decoded.lines.every((line) => !line.includes('\ufffd')));
    }),
  );
});

test('T7: names in UTF-8 and contents in GBK stand side by side', () => {
  const gbk = Buffer.from([0x2b, 0xc4, 0xe3, 0xba, 0xc3, 0xca, 0xc0, 0xbd, 0xe7]);
  const { lines, encodings } = decodeLines([Buffer.from('+++ b/你好.txt'), gbk]);
  assert.deepEqual(lines, ['+++ b/你好.txt', '+你好世界']);
  assert.deepEqual(encodings, ['gbk']);
});

test('T3: paths of any bytes are read back, and shown without loss', () => {
  const name = fc
    .uint8Array({ minLength: 1, maxLength: 12 })
    .map((some) => Buffer.from(some.map((byte) => (byte === 0 ? 1 : byte))).toString('latin1'));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('A', 'M', 'D', 'T', 'R090'), name, name), { maxLength: 10 }),
      (rows) => {
        const output = rows.map(([status, path, to]) => {
          const head = `:100644 100644 ${'a'.repeat(40)} ${'b'.repeat(40)} ${status}\0${path}\0`;
          return status.startsWith('R') ? `${head}${to}\0` : head;
        });
        const read = readRawChanges(Buffer.from(output.join(''), 'latin1'));
        const expected = rows.map(([status, path, to]) => (status.startsWith('R') ? [to, path] : [path, undefined]));
        assert.deepEqual(
          read.map(({ path, from }) => [path, from]),
          expected,
        );
        for (const { path } of read) assert.ok(!showPath(path).includes('\ufffd') || path.includes('\xef\xbf\xbd'));
      },
    ),
  );
});
