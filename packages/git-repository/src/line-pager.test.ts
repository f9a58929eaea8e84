import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LinePager } from './line-pager.ts';

const lines = fc.array(fc.string({ unit: fc.constantFrom('a', '你', ' '), maxLength: 30 }), { maxLength: 60 });

test('T7: pages put together are the output, however it is cut into pieces and pages', () => {
  fc.assert(
    fc.property(lines, fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 40 }), (all, budget, piece) => {
      const bytes = Buffer.from(all.map((line) => `${line}\n`).join(''));
      const seen: string[] = [];
      for (let fromLine: number | undefined = 1; fromLine !== undefined; ) {
        const pager = new LinePager(fromLine, budget);
        for (let at = 0; at < bytes.length && pager.take(bytes.subarray(at, at + piece)); ) at += piece;
        const page = pager.page();
        seen.push(...page.lines.map(String));
        fromLine = page.nextLine;
      }
      assert.deepEqual(seen, all);
    }),
  );
});

test('T7: a page stays within its budget but for a first line, which is cut at 4 KiB', () => {
  fc.assert(
    fc.property(lines, fc.integer({ min: 1, max: 200 }), (all, budget) => {
      const pager = new LinePager(1, budget);
      pager.take(Buffer.from(all.join('\n')));
      const { lines: shown } = pager.page();
      const size = shown.reduce((sum, line) => sum + line.length + 1, 0);
      assert.ok(shown.length <= 1 || size <= budget);
    }),
  );
  const pager = new LinePager(1, 100);
  for (let count = 0; count < 1000; count += 1) pager.take(Buffer.alloc(1000, 'x'));
  assert.deepEqual([pager.page().lines[0]?.length, pager.page().longLines], [4096, 1]);
});
