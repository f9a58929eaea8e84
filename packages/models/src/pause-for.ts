import { setTimeout as delay } from 'node:timers/promises';

/** Waits; rejects with the signal's reason when it is cancelled first. */
export type Pause = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export const pauseFor: Pause = async (milliseconds, signal) => {
  signal?.throwIfAborted();
  await delay(milliseconds, undefined, signal === undefined ? {} : { signal });
};
