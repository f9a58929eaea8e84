import type { EventRow, ModelMessage } from '@capstan/contracts';

/** Bytes of tool results that are shown in full; what is older is left out, a chunk at a time. */
const windowBytes = 400_000;
const chunk = 20;
const leftOut = '[This older result was left out of the window. Call the tool again if you need it.]';

/** The conversation with the model, as the event log holds it. */
export function conversation(rows: readonly EventRow[]): ModelMessage[] {
  return rows.flatMap(({ body }) => (body.type === 'message-add' ? [body.message] : []));
}

/**
 * The part of a conversation that is sent: over the window, the oldest tool results shrink to a line. They shrink
 * `chunk` at a time, so that the beginning of the prompt stays the same for many turns and can be cached.
 */
export function withinWindow(messages: readonly ModelMessage[], limit: number = windowBytes): ModelMessage[] {
  let shrunk = 0;
  let shown = [...messages];
  while (bytesOf(shown) > limit && shrunk < messages.length) {
    shrunk += chunk;
    const upTo = Math.min(shrunk, messages.length - 1);
    shown = messages.map((message, index) =>
      index < upTo && message.role === 'tool' ? { ...message, text: leftOut } : message,
    );
  }
  return shown;
}

function bytesOf(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + Buffer.byteLength(message.text), 0);
}
