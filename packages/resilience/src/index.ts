export * from './bounded-queue.ts';
export * from './breaker.ts';
export * from './pause-for.ts';
export * from './rate-limiter.ts';
export * from './retry-with-backoff.ts';
