import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { takePage } from './take-page.ts';

/** All items of a list, read page by page; `between` changes the list after each page. */
function readAll(first: readonly string[], size: number, between: (items: readonly string[]) => readonly string[]) {
  const read: string[] = [];
  let items = first;
  for (let cursor: string | undefined, pages = 0; pages <= first.length + 50; pages += 1) {
    const page = takePage(items, (item) => item, cursor, size);
    assert.ok(page !== undefined && page.items.length <= size);
    read.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === undefined) return read;
    items = between(items);
  }
  return assert.fail('the pages do not end');
}

const sortedNames = fc.uniqueArray(fc.string({ unit: 'binary' }), { maxLength: 40 }).map((names) => names.sort());
const size = fc.integer({ min: 1, max: 7 });

test('T2: pages together are the whole list, in order, each item once', () => {
  fc.assert(
    fc.property(sortedNames, size, (names, atOnce) => {
      const whole = names.filter((name) => name.isWellFormed());
      assert.deepEqual(
        readAll(whole, atOnce, (items) => items),
        whole,
      );
    }),
  );
});

test('T2: what stays in a list that shrinks between pages is neither repeated nor lost', () => {
  fc.assert(
    fc.property(sortedNames, size, fc.integer(), (names, atOnce, seed) => {
      const whole = names.filter((name) => name.isWellFormed());
      const gone = new Set(whole.filter((_, index) => (index * 7919 + seed) % 3 === 0));
      const read = readAll(whole, atOnce, (items) => items.filter((item) => !gone.has(item)));
      assert.equal(new Set(read).size, read.length);
      for (const item of whole) if (!gone.has(item)) assert.ok(read.includes(item));
    }),
  );
});

test('T4: a cursor that was never given out is refused or is the place of some key; nothing is thrown', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (cursor) => {
      const page = takePage(['a', 'b'], (item) => item, cursor, 1);
      if (page !== undefined) assert.ok(page.items.length <= 1);
    }),
  );
  assert.equal(
    takePage(['a'], (item) => item, '!', 1),
    undefined,
  );
});
