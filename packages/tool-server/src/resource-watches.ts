import type { Resources, StopWatch } from './define-resources.ts';

interface Shared {
  readonly listeners: Set<() => void>;
  readonly started: Promise<StopWatch | undefined>;
}

/** Watches resources for any number of hosts: one watch for a URI, from its first listener to its last. */
export class ResourceWatches {
  readonly #resources: Resources;
  readonly #shared = new Map<string, Shared>();

  constructor(resources: Resources) {
    this.#resources = resources;
  }

  /** Undefined where the resource cannot be watched. */
  async watch(uri: string, changed: () => void): Promise<StopWatch | undefined> {
    const { watch } = this.#resources;
    if (watch === undefined) return undefined;
    return this.#join(`uri ${uri}`, changed, (all) => watch.call(this.#resources, uri, all));
  }

  async watchList(changed: () => void): Promise<StopWatch | undefined> {
    const { watchList } = this.#resources;
    if (watchList === undefined) return undefined;
    return this.#join('list', changed, (all) => watchList.call(this.#resources, all));
  }

  async #join(
    key: string,
    changed: () => void,
    start: (all: () => void) => Promise<StopWatch | undefined>,
  ): Promise<StopWatch | undefined> {
    const shared = this.#shared.get(key) ?? this.#begin(key, start);
    // One listener is one call of this function, also when two hosts hand in the same one.
    const listener = (): void => changed();
    shared.listeners.add(listener);
    const leave = (): void => this.#leave(key, shared, listener);
    try {
      if ((await shared.started) !== undefined) return leave;
    } catch (error) {
      leave();
      throw error;
    }
    leave();
    return undefined;
  }

  #begin(key: string, start: (all: () => void) => Promise<StopWatch | undefined>): Shared {
    const listeners = new Set<() => void>();
    const tellAll = (): void => {
      for (const listener of listeners) listener();
    };
    const shared: Shared = { listeners, started: start(tellAll) };
    this.#shared.set(key, shared);
    return shared;
  }

  #leave(key: string, shared: Shared, listener: () => void): void {
    if (!shared.listeners.delete(listener) || shared.listeners.size > 0) return;
    if (this.#shared.get(key) === shared) this.#shared.delete(key);
    void shared.started.then(
      (stop) => stop?.(),
      () => undefined,
    );
  }
}
