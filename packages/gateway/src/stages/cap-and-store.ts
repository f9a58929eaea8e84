import { type Content, sizes } from '@capstan/contracts';
import { headAndTail } from '../head-and-tail.ts';
import { type CallState, denied, type Stage } from '../stage.ts';

/**
 * The table of sizes (requirement T7): text above 8 KiB goes to the blob store and stays inline as head and tail with a
 * link; one result carries at most 32 KiB inline. `structured` stays whole for our own callers, up to one message.
 */
export const capAndStore: Stage = {
  name: 'cap-and-store',
  async run(state, next) {
    const { result } = state;
    if (result === undefined) return next();
    const structuredBytes = Buffer.byteLength(JSON.stringify(result.structured ?? null));
    if (structuredBytes > sizes.messageLimit)
      return denied(state, 'cap-and-store', 'result-too-large', `The result has ${structuredBytes} bytes.`, {
        hint: 'Ask for less in one call.',
      });
    const content: Content[] = [];
    for (const part of result.content) content.push(...(await cap(state, part, sizes.blobThreshold)));
    state.result = { ...result, content: await withinInlineLimit(state, content) };
    return next();
  },
};

/** The part as it is, or its head and tail and a link to the whole. Parts without text become a link. */
async function cap(state: CallState, part: Content, limit: number): Promise<Content[]> {
  const text = 'text' in part && typeof part.text === 'string' ? part.text : undefined;
  const bytes = Buffer.from(text ?? JSON.stringify(part));
  const keepsInline = part.type === 'image' ? sizes.inlineLimit : limit;
  if (bytes.byteLength <= keepsInline) return [part];
  const digest = await state.gateway.options.blobs.put(bytes);
  const link = {
    type: 'resource_link',
    uri: `capstan-blob:${digest}`,
    name: `${part.type} of ${bytes.byteLength} bytes`,
  };
  if (text === undefined) return [link];
  return [{ ...part, text: headAndTail(text, limit, `the whole text is capstan-blob:${digest}`) }, link];
}

/** Parts that do not fit any more are dropped into one blob, and a link says so. */
async function withinInlineLimit(state: CallState, content: readonly Content[]): Promise<Content[]> {
  const kept: Content[] = [];
  let bytes = 0;
  for (const part of content) {
    bytes += Buffer.byteLength(JSON.stringify(part));
    // Room for the link that says what is missing.
    if (bytes > sizes.inlineLimit - 500) break;
    kept.push(part);
  }
  const rest = content.slice(kept.length);
  if (rest.length === 0) return kept;
  const digest = await state.gateway.options.blobs.put(Buffer.from(JSON.stringify(rest)));
  return [...kept, { type: 'resource_link', uri: `capstan-blob:${digest}`, name: `${rest.length} more parts as JSON` }];
}
