import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  type Server,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import type { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { type Listening, listenTo } from './listen-watches.ts';
import type { PreparedServer } from './prepare-server.ts';

/** The versions that requests may name one by one. Older ones are agreed on by `initialize`. */
const versionsOfRequests = ['2026-07-28'];

/**
 * Sees what a host sends before the SDK does: refuses requests of unknown versions (the SDK looks at the first one only),
 * and watches the resources that the host listens to (the SDK sends on what the server then tells).
 */
export function standBefore(
  transport: StdioServerTransport,
  prepared: PreparedServer,
  server: () => Server | undefined,
): void {
  const { onmessage } = transport;
  const follow = followListeners(prepared, server);
  transport.onmessage = (message: JSONRPCMessage) => {
    const refusal = refuseVersion(message);
    if (refusal !== undefined) {
      transport.send(refusal).catch(() => undefined);
      return;
    }
    follow(message);
    onmessage?.(message);
  };
}

function refuseVersion(message: JSONRPCMessage): JSONRPCMessage | undefined {
  if (!isJSONRPCRequest(message)) return undefined;
  const requested = message.params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (typeof requested !== 'string' || versionsOfRequests.includes(requested)) return undefined;
  const error = new UnsupportedProtocolVersionError({ supported: versionsOfRequests, requested });
  const { code, data } = error;
  return { jsonrpc: '2.0', id: message.id, error: { code, message: error.message, data } };
}

function followListeners(
  prepared: PreparedServer,
  server: () => Server | undefined,
): (message: JSONRPCMessage) => void {
  const listening = new Map<string | number, Listening>();
  const sink = {
    resourceUpdated: (uri: string) =>
      void server()
        ?.sendResourceUpdated({ uri })
        .catch(() => undefined),
    resourcesChanged: () =>
      void server()
        ?.sendResourceListChanged()
        .catch(() => undefined),
  };
  return (message) => {
    const begun = listenTo(message, prepared.watches, sink);
    const ended = begun?.id ?? cancelledId(message);
    if (ended !== undefined) listening.get(ended)?.stop();
    if (ended !== undefined) listening.delete(ended);
    if (begun !== undefined) listening.set(begun.id, begun);
  };
}

function cancelledId(message: JSONRPCMessage): string | number | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  const id = message.params?.requestId;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
