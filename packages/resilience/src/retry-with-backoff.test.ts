import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '@capstan/contracts';
import fc from 'fast-check';
import { type Attempt, pauseAfter, type RetryOptions, retryWithBackoff } from './retry-with-backoff.ts';

const busy: Failure = { level: 'retryable', code: 'busy', message: 'Busy.' };

function optionsWith(pauses: number[], more: Partial<RetryOptions> = {}): RetryOptions {
  return {
    attempts: 4,
    firstMilliseconds: 100,
    maximumMilliseconds: 300,
    random: () => 0,
    wait: async (milliseconds) => {
      pauses.push(milliseconds);
    },
    ...more,
  };
}

test('T8: retryable failures are tried again with doubling pauses, then given up', async () => {
  const pauses: number[] = [];
  let calls = 0;
  const outcome = await retryWithBackoff<string>(async () => {
    calls += 1;
    return { ok: false, failure: busy };
  }, optionsWith(pauses));
  assert.deepEqual(outcome, { ok: false, failure: busy });
  assert.equal(calls, 4);
  assert.deepEqual(pauses, [100, 200, 300]);
});

test('T8: param and fatal failures come back at once', async () => {
  for (const level of ['param', 'fatal'] as const) {
    const pauses: number[] = [];
    const outcome: Attempt<string> = { ok: false, failure: { ...busy, level } };
    assert.deepEqual(await retryWithBackoff(async () => outcome, optionsWith(pauses)), outcome);
    assert.deepEqual(pauses, []);
  }
});

test('T8: success ends the repetition, and afterMs is kept', async () => {
  const pauses: number[] = [];
  const outcome = await retryWithBackoff<number>(
    async (attempt) => (attempt < 1 ? { ok: false, failure: { ...busy, afterMs: 900 } } : { ok: true, value: attempt }),
    optionsWith(pauses),
  );
  assert.deepEqual(outcome, { ok: true, value: 1 });
  assert.deepEqual(pauses, [900]);
});

test('T8: an abort ends the repetition', async () => {
  const stop = new AbortController();
  stop.abort();
  const pauses: number[] = [];
  const outcome = await retryWithBackoff<string>(
    async () => ({ ok: false, failure: busy }),
    optionsWith(pauses, { signal: stop.signal }),
  );
  assert.equal(outcome.ok, false);
  assert.deepEqual(pauses, []);
});

test('T8: the pause never falls below afterMs and jitter adds at most half', () => {
  fc.assert(
    fc.property(
      fc.nat(20),
      fc.nat(100_000),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempt, afterMs, chance) => {
        const pause = pauseAfter(attempt, afterMs, {
          firstMilliseconds: 100,
          maximumMilliseconds: 5_000,
          random: () => chance,
        });
        assert.ok(pause >= afterMs);
        assert.ok(pause <= Math.max(5_000, afterMs) * 1.5 + 1);
      },
    ),
  );
});
