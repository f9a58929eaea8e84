import type { ModelMessage } from '@capstan/contracts';

/**
 * Short ids for the wire, numbered in the order in which a conversation first names them: endpoints limit length and
 * characters, and the same beginning of a conversation must give the same bytes for their prompt caches.
 */
export function wireIds(messages: readonly ModelMessage[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  const add = (id: string) => {
    if (!ids.has(id)) ids.set(id, `call_${ids.size + 1}`);
  };
  for (const message of messages) {
    if (message.role === 'assistant') for (const call of message.calls) add(call.id);
    if (message.role === 'tool') add(message.callId);
  }
  return ids;
}
