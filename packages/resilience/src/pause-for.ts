import { setTimeout as delay } from 'node:timers/promises';

/** Waits so many milliseconds; rejects with the reason of the signal itself when it is aborted first. */
export type Pause = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export const pauseFor: Pause = async (milliseconds, signal) => {
  signal?.throwIfAborted();
  try {
    await delay(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch (thrown) {
    // The timer throws an error of its own, which does not say why.
    signal?.throwIfAborted();
    throw thrown;
  }
};
