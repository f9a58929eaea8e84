import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRateLimiter } from './rate-limiter.ts';

test('G9: no window ever holds more starts of one key than the limit, and a refusal names a time that works', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.constantFrom('ann', 'bob')), { maxLength: 80 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 5 }), (moves, limit) => {
      let now = 10_000;
      const limiter = createRateLimiter({ limit, milliseconds: 1_000 }, { steady: () => now });
      const starts: Record<string, number[]> = { ann: [], bob: [] };
      for (const [pause, key] of moves) {
        now += pause;
        let after = limiter.take(key);
        if (after > 0) {
          now += after;
          after = limiter.take(key);
        }
        assert.equal(after, 0);
        const recent = [...(starts[key] ?? []).filter((start) => start > now - 1_000), now];
        starts[key] = recent;
        assert.ok(recent.length <= limit);
      }
    }),
  );
});

test('G9: one key does not use up the limit of another', () => {
  const limiter = createRateLimiter({ limit: 1, milliseconds: 60_000 }, { steady: () => 5_000 });
  assert.equal(limiter.take('ann'), 0);
  assert.equal(limiter.take('bob'), 0);
  assert.equal(limiter.take('ann'), 60_000);
});
