import type { StopWatch } from './define-resources.ts';

/** The watches of one connection, by keys. What starts after the connection has ended is stopped at once. */
export class HeldWatches {
  readonly #stops = new Map<string, StopWatch>();
  #ended = false;

  get count(): number {
    return this.#stops.size;
  }

  has(key: string): boolean {
    return this.#stops.has(key);
  }

  /** Takes the place of a watch with the same key. */
  keep(key: string, stop: StopWatch | undefined): void {
    if (stop === undefined) return;
    this.release(key);
    if (this.#ended) stop();
    else this.#stops.set(key, stop);
  }

  release(key: string): void {
    this.#stops.get(key)?.();
    this.#stops.delete(key);
  }

  stop(): void {
    this.#ended = true;
    for (const key of [...this.#stops.keys()]) this.release(key);
  }
}
