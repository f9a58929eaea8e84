import type { Failure } from '@capstan/contracts';
import { type Pause, pauseFor } from './pause-for.ts';

export interface RetryOptions<Outcome> {
  /** What went wrong in an outcome; undefined when nothing did. */
  readonly failureOf: (outcome: Outcome) => Pick<Failure, 'level' | 'afterMs'> | undefined;
  /** Attempts after the first one. */
  readonly retries: number;
  /** The jitter is at most this after the first failure; doubled after each further one. */
  readonly firstMilliseconds: number;
  /** The doubling stops here. */
  readonly maximumMilliseconds: number;
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  readonly pause?: Pause | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Repeats `work` while it fails with level `retryable` (requirement T8), with pauses that grow; every other outcome comes
 * back at once, and so does the last one. Throws what `work` throws, and the reason of the signal where a pause would be.
 */
export async function retryWithBackoff<Outcome>(
  work: () => Promise<Outcome>,
  options: RetryOptions<Outcome>,
): Promise<Outcome> {
  const { failureOf, retries, pause = pauseFor, signal } = options;
  for (let retry = 0; ; retry += 1) {
    const outcome = await work();
    const failure = failureOf(outcome);
    if (failure?.level !== 'retryable' || retry >= retries) return outcome;
    signal?.throwIfAborted();
    await pause(pauseBefore(retry, failure.afterMs ?? 0, options), signal);
  }
}

/** Milliseconds before retry number `retry` (from 0): never less than `afterMs`, and spread, so that callers do not come
 * back together. */
export function pauseBefore(
  retry: number,
  afterMs: number,
  options: Pick<RetryOptions<unknown>, 'firstMilliseconds' | 'maximumMilliseconds' | 'random'>,
): number {
  const ceiling = Math.min(options.firstMilliseconds * 2 ** retry, options.maximumMilliseconds);
  return Math.round(afterMs + options.random() * ceiling);
}
