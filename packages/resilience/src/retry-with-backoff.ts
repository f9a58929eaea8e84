import type { Failure } from '@capstan/contracts';

export type Attempt<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure };

export interface RetryOptions {
  /** All attempts together, the first included. */
  readonly attempts: number;
  /** Pause after the first failure; doubled after each further one. Milliseconds. */
  readonly firstMilliseconds: number;
  readonly maximumMilliseconds: number;
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  /** Resolves after so many milliseconds; rejects when aborted. */
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly signal?: AbortSignal;
}

/**
 * Repeats `work` while it fails with level `retryable` (requirement T8); `param` and `fatal` come back at once. The
 * pause doubles, is never shorter than the failure's `afterMs`, and gets up to half of itself added by chance, so that
 * many callers do not come back together. `work` gets the number of the attempt, from 0.
 */
export async function retryWithBackoff<Value>(
  work: (attempt: number) => Promise<Attempt<Value>>,
  options: RetryOptions,
): Promise<Attempt<Value>> {
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await work(attempt);
    if (outcome.ok || outcome.failure.level !== 'retryable') return outcome;
    if (attempt + 1 >= options.attempts || options.signal?.aborted) return outcome;
    await options.wait(pauseAfter(attempt, outcome.failure.afterMs ?? 0, options), options.signal);
  }
}

/** Milliseconds to wait after attempt number `attempt` (from 0). */
export function pauseAfter(
  attempt: number,
  afterMs: number,
  options: Pick<RetryOptions, 'firstMilliseconds' | 'maximumMilliseconds' | 'random'>,
): number {
  const doubled = Math.min(options.firstMilliseconds * 2 ** attempt, options.maximumMilliseconds);
  return Math.round(Math.max(doubled, afterMs) * (1 + options.random() / 2));
}
