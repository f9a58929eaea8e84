import { z } from 'zod';
import { HeldWatches } from './held-watches.ts';
import type { ResourceWatches } from './resource-watches.ts';
import { watchedLimit } from './serve-resources.ts';

/** A `subscriptions/listen` request, as far as resources are concerned. */
const ListenRequest = z.looseObject({
  id: z.union([z.string(), z.number()]),
  method: z.literal('subscriptions/listen'),
  params: z.looseObject({
    notifications: z.looseObject({
      resourcesListChanged: z.boolean().optional(),
      resourceSubscriptions: z.array(z.string()).optional(),
    }),
  }),
});

/** Whom to tell of changes. */
export interface ChangeSink {
  resourceUpdated(uri: string): void;
  resourcesChanged(): void;
}

/** What one client of protocol 2026-07-28 listens to. */
export interface Listening {
  readonly id: string | number;
  stop(): void;
}

/** Begins to watch what a message asks to be told of; undefined for any message that is no `subscriptions/listen`. */
export function listenTo(
  message: unknown,
  watches: ResourceWatches | undefined,
  sink: ChangeSink,
): Listening | undefined {
  if (watches === undefined || !isListen(message)) return undefined;
  const request = ListenRequest.safeParse(message);
  if (!request.success) return undefined;
  const held = new HeldWatches();
  const { resourcesListChanged, resourceSubscriptions = [] } = request.data.params.notifications;
  const keep = (key: string, watch: ReturnType<ResourceWatches['watch']>): void => {
    watch.then(
      (stop) => held.keep(key, stop),
      (error: unknown) => console.error(error instanceof Error ? error.message : String(error)),
    );
  };
  if (resourcesListChanged === true)
    keep(
      'list',
      watches.watchList(() => sink.resourcesChanged()),
    );
  for (const uri of new Set(resourceSubscriptions.slice(0, watchedLimit))) {
    keep(
      `uri ${uri}`,
      watches.watch(uri, () => sink.resourceUpdated(uri)),
    );
  }
  return { id: request.data.id, stop: () => held.stop() };
}

/** Whether a message asks for a stream of changes; asked of every message, so it is no schema. */
export function isListen(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'method' in message && message.method === 'subscriptions/listen'
  );
}
