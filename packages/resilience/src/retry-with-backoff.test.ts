import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '@capstan/contracts';
import fc from 'fast-check';
import { pauseFor } from './pause-for.ts';
import { pauseBefore, type RetryOptions, retryWithBackoff } from './retry-with-backoff.ts';

type Outcome = Pick<Failure, 'level' | 'afterMs'> | 'fine';

const busy: Outcome = { level: 'retryable' };

function optionsWith(pauses: number[], more: Partial<RetryOptions<Outcome>> = {}): RetryOptions<Outcome> {
  return {
    failureOf: (outcome) => (outcome === 'fine' ? undefined : outcome),
    retries: 3,
    firstMilliseconds: 200,
    maximumMilliseconds: 600,
    random: () => 0.5,
    pause: async (milliseconds) => void pauses.push(milliseconds),
    ...more,
  };
}

test('T8: retryable failures are tried again with growing pauses, then given up', async () => {
  const pauses: number[] = [];
  let calls = 0;
  const outcome = await retryWithBackoff(async () => {
    calls += 1;
    return busy;
  }, optionsWith(pauses));
  assert.equal(outcome, busy);
  assert.equal(calls, 4);
  assert.deepEqual(pauses, [100, 200, 300]);
});

test('T8: param and fatal failures come back at once', async () => {
  for (const level of ['param', 'fatal'] as const) {
    const pauses: number[] = [];
    assert.deepEqual(await retryWithBackoff(async () => ({ level }), optionsWith(pauses)), { level });
    assert.deepEqual(pauses, []);
  }
});

test('T8: success ends the repetition, and afterMs is kept', async () => {
  const pauses: number[] = [];
  const outcomes: Outcome[] = [{ level: 'retryable', afterMs: 900 }, 'fine'];
  const outcome = await retryWithBackoff(async () => outcomes.shift() ?? busy, optionsWith(pauses));
  assert.equal(outcome, 'fine');
  assert.deepEqual(pauses, [1_000]);
});

for (const moment of ['before', 'during']) {
  test(`T8: an abort ${moment} the pause rejects with the reason of the signal`, async () => {
    const stop = new AbortController();
    const reason = new Error('drained');
    const work = async (): Promise<Outcome> => {
      if (moment === 'before') stop.abort(reason);
      else setTimeout(() => stop.abort(reason), 5);
      return { level: 'retryable', afterMs: 600_000 };
    };
    const repeated = retryWithBackoff(work, optionsWith([], { pause: pauseFor, signal: stop.signal }));
    await assert.rejects(repeated, (thrown) => thrown === reason);
  });
}

test('T8: a pause is never shorter than afterMs, and what is added never exceeds its maximum', () => {
  const chances = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.nat(40), fc.nat(100_000), chances, (retry, afterMs, chance) => {
      const pause = pauseBefore(retry, afterMs, {
        firstMilliseconds: 100,
        maximumMilliseconds: 5_000,
        random: () => chance,
      });
      assert.ok(pause >= afterMs);
      assert.ok(pause <= afterMs + 5_000);
    }),
  );
});
