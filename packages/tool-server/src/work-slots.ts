import type { Failure } from '@capstan/contracts';

/** When a refused caller is told to come back. Milliseconds. */
const busyAfterMs = 500;

/** Bounds how much is worked on at once. Refuses instead of queueing: the caller knows at once, and nothing piles up. */
export class WorkSlots {
  readonly #limit: number;
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get taken(): number {
    return this.#taken;
  }

  /** The result of `work`, or of `refuse` when all slots are taken. */
  async run<Result>(work: () => Promise<Result>, refuse: (busy: Failure) => Result): Promise<Result> {
    if (this.#taken >= this.#limit) return refuse(this.#busy());
    this.#taken += 1;
    try {
      return await work();
    } finally {
      this.#taken -= 1;
    }
  }

  #busy(): Failure {
    return {
      level: 'retryable',
      code: 'busy',
      message: `The server works on ${this.#limit} requests, which is its limit. Nothing was done.`,
      hint: `Try again in ${busyAfterMs} ms, with fewer requests at once.`,
      afterMs: busyAfterMs,
    };
  }
}
