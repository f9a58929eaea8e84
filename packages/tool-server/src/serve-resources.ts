import { type Failure, sizes, toFailure } from '@capstan/contracts';
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';
import { tooLarge } from './answer-call.ts';
import type { OpenRequestOf } from './build-server.ts';
import type { Resources, ResourceTemplate } from './define-resources.ts';
import { HeldWatches } from './held-watches.ts';
import type { PreparedServer } from './prepare-server.ts';
import { protocolFailure } from './protocol-failure.ts';
import type { ResourceWatches } from './resource-watches.ts';
import { unknownCursor } from './unknown-cursor.ts';
import { wireResource } from './wire-parts.ts';

/** The most resources that one connection watches. */
export const watchedLimit = 1024;

/** Answers the `resources/` methods, when there are resources. */
export function serveResources(server: Server, prepared: PreparedServer, open: OpenRequestOf): void {
  const { resources } = prepared.options;
  if (resources === undefined || prepared.watches === undefined) return;
  serveLists(server, prepared, resources, open);
  serveReads(server, prepared, resources, open);
  serveSubscriptions(server, resources, prepared.watches);
}

function serveLists(server: Server, prepared: PreparedServer, resources: Resources, open: OpenRequestOf): void {
  server.setRequestHandler('resources/list', ({ params }, context) => {
    const list = async () => {
      const page = await guarded(async () => resources.list(params?.cursor, open(context, params).context));
      if (page === undefined) throw unknownCursor();
      if ('failure' in page) throw protocolFailure(page.failure);
      return { resources: [...page.items], ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }) };
    };
    return prepared.slots.run(list, (busy) => {
      throw protocolFailure(busy);
    });
  });
  const resourceTemplates = (resources.templates ?? []).map(listing);
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
}

function listing({ complete: _, ...shown }: ResourceTemplate): Omit<ResourceTemplate, 'complete'> {
  return shown;
}

function serveReads(server: Server, prepared: PreparedServer, resources: Resources, open: OpenRequestOf): void {
  server.setRequestHandler('resources/read', ({ params }, context) => {
    const read = async () => {
      const { uri } = params;
      const reply = await guarded(() => resources.read(uri, open(context, { uri }).context));
      if (reply === undefined) throw new ResourceNotFoundError(uri);
      if ('failure' in reply) throw protocolFailure(reply.failure);
      const contents = reply.contents.map(wireResource);
      const bytes = Buffer.byteLength(JSON.stringify(contents));
      if (bytes > sizes.messageLimit) throw protocolFailure(tooLarge(uri, bytes));
      return { contents };
    };
    return prepared.slots.run(read, (busy) => {
      throw protocolFailure(busy);
    });
  });
}

/** As protocols up to 2025-11-25 subscribe; later ones listen, see `resource-listeners.ts`. */
function serveSubscriptions(server: Server, resources: Resources, watches: ResourceWatches): void {
  const held = new HeldWatches();
  server.onclose = () => held.stop();
  server.oninitialized = () => {
    const tell = (): void => void server.sendResourceListChanged().catch(() => undefined);
    watches.watchList(tell).then(
      (stop) => held.keep('list', stop),
      (error: unknown) => console.error(toFailure(error).message),
    );
  };
  if (resources.watch === undefined) return;
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    if (held.has(`uri ${uri}`)) return {};
    if (held.count >= watchedLimit) throw protocolFailure(tooManyWatched());
    const tell = (): void => void server.sendResourceUpdated({ uri }).catch(() => undefined);
    const stop = await guarded(async () => watches.watch(uri, tell));
    if (stop === undefined) throw unwatchable(uri);
    if ('failure' in stop) throw protocolFailure(stop.failure);
    held.keep(`uri ${uri}`, stop);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    held.release(`uri ${uri}`);
    return {};
  });
}

async function guarded<Result>(work: () => Promise<Result>): Promise<Result | { readonly failure: Failure }> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    return { failure: toFailure(thrown) };
  }
}

function unwatchable(uri: string): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `${uri} cannot be watched. Read it again when you need it.`,
  );
}

function tooManyWatched(): Failure {
  const hint = 'Unsubscribe from what is no longer needed.';
  return { level: 'param', code: 'too-many-watched', message: `${watchedLimit} resources are watched already.`, hint };
}
