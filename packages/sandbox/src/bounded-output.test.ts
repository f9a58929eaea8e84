import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BoundedOutput } from './bounded-output.ts';

test('T10: output keeps its head and counts the rest, however it is cut into pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 20 })), fc.nat(100), (chunks, limit) => {
      const output = new BoundedOutput(limit);
      for (const chunk of chunks) output.add(chunk);
      const whole = Buffer.concat(chunks);
      assert.deepEqual(Buffer.from(output.bytes), whole.subarray(0, limit));
      assert.equal(output.dropped, Math.max(0, whole.length - limit));
    }),
  );
});
