import type { SteadyClock } from '@capstan/contracts';
import { type BoundedQueue, createBoundedQueue, createRateLimiter, type RateLimiter } from '@capstan/resilience';

/** Bounds on calls (requirement G9). */
export interface LimitOptions {
  readonly userPerMinute: number;
  readonly toolPerSecond: number;
  /** Calls that one server works on at once. */
  readonly serverConcurrency: number;
  /** Calls that may wait for one server; more are refused. */
  readonly serverQueue: number;
  /** Failures in a row after which a server is left alone. */
  readonly breakerFailures: number;
  /** First pause of a server that was left alone; doubled with each trial that fails, up to a minute. */
  readonly breakerMilliseconds: number;
}

export const defaultLimits: LimitOptions = {
  userPerMinute: 1_200,
  toolPerSecond: 100,
  serverConcurrency: 8,
  serverQueue: 64,
  breakerFailures: 3,
  breakerMilliseconds: 1_000,
};

/** The counters of one gateway. */
export interface Limits {
  readonly users: RateLimiter;
  readonly tools: RateLimiter;
  queue(server: string): BoundedQueue;
}

/** Counters and queues for the given bounds; each server has a queue of its own. */
export function createLimits(options: LimitOptions, clock: SteadyClock): Limits {
  const queues = new Map<string, BoundedQueue>();
  return {
    users: createRateLimiter({ limit: options.userPerMinute, milliseconds: 60_000 }, clock),
    tools: createRateLimiter({ limit: options.toolPerSecond, milliseconds: 1_000 }, clock),
    queue(server) {
      const known = queues.get(server);
      if (known !== undefined) return known;
      const queue = createBoundedQueue({ concurrency: options.serverConcurrency, waiting: options.serverQueue });
      queues.set(server, queue);
      return queue;
    },
  };
}
