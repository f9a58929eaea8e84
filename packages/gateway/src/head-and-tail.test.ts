import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { headAndTail } from './head-and-tail.ts';

test('T7: a cut text fits, keeps both ends, and has no half characters', () => {
  const unit = fc.constantFrom('a', 'é', '长', '😀', '\n');
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 800 }), fc.integer({ min: 200, max: 1_000 }), (units, limit) => {
      const text = units.join('');
      const cut = headAndTail(text, limit, 'see there');
      assert.ok(Buffer.byteLength(cut) <= limit);
      if (Buffer.byteLength(text) <= limit) return assert.equal(cut, text);
      const [head = '', tail = ''] = cut.split(/\n\[\.\.\. \d+ bytes or more left out; see there \.\.\.\]\n/u);
      assert.ok(text.startsWith(head) && text.endsWith(tail) && tail !== '' && head !== '');
      assert.ok(!cut.includes('\ufffd'));
    }),
  );
});
