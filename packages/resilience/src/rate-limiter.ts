import type { SteadyClock } from '@capstan/contracts';

export interface Rate {
  readonly limit: number;
  /** Length of the sliding window in milliseconds. */
  readonly milliseconds: number;
}

/** Counts per key in a sliding window (requirement G9). Memory is bounded: idle keys are dropped. */
export interface RateLimiter {
  /** 0 when the call may go now (and is counted), else milliseconds until it may be tried again. */
  take(key: string): number;
}

const maximumKeys = 10_000;

/** A limiter that never lets more than `limit` calls of one key start in any window. */
export function createRateLimiter(rate: Rate, clock: SteadyClock): RateLimiter {
  const starts = new Map<string, number[]>();
  return {
    take(key) {
      const now = clock.steady();
      const since = now - rate.milliseconds;
      const recent = starts.get(key) ?? [];
      const expired = recent.findIndex((start) => start > since);
      recent.splice(0, expired === -1 ? recent.length : expired);
      const oldest = recent[0];
      if (recent.length >= rate.limit) return oldest === undefined ? rate.milliseconds : oldest - since;
      recent.push(now);
      starts.delete(key);
      starts.set(key, recent);
      if (starts.size > maximumKeys) dropIdle(starts, since);
      return 0;
    },
  };
}

/** Insertion order is order of last use, so idle keys are in front. */
function dropIdle(starts: Map<string, number[]>, since: number): void {
  for (const [key, times] of starts) {
    if ((times.at(-1) ?? 0) > since) return;
    starts.delete(key);
  }
}
