import PQueue from 'p-queue';

export interface QueueOptions {
  /** How many run at once. */
  readonly concurrency: number;
  /** How many may wait; more are refused. */
  readonly waiting: number;
}

export type QueueAnswer<Value> = { readonly accepted: true; readonly value: Value } | { readonly accepted: false };

/** Work in order of arrival with a bound on what waits (requirement G9): refusal instead of growth. */
export interface BoundedQueue {
  readonly waiting: number;
  readonly running: number;
  /** Rejects with what `work` throws, or with the signal's reason when it is aborted while waiting. */
  run<Value>(work: () => Promise<Value>, signal?: AbortSignal): Promise<QueueAnswer<Value>>;
}

/** A first-in first-out queue that refuses when it is full. */
export function createBoundedQueue(options: QueueOptions): BoundedQueue {
  const queue = new PQueue({ concurrency: options.concurrency });
  return {
    get waiting() {
      return queue.size;
    },
    get running() {
      return queue.pending;
    },
    async run(work, signal) {
      if (queue.pending >= options.concurrency && queue.size >= options.waiting) return { accepted: false };
      const value = await startOf(queue, work, signal);
      return { accepted: true, value };
    },
  };
}

/** The signal only takes waiting work away; work that runs settles by itself, so that nothing outlives its slot. */
async function startOf<Value>(queue: PQueue, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
  if (signal === undefined) return queue.add(work);
  const waiting = new AbortController();
  const onAbort = (): void => waiting.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await queue.add(
      () => {
        signal.removeEventListener('abort', onAbort);
        return work();
      },
      { signal: waiting.signal },
    );
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
