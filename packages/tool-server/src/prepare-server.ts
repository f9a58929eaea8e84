import type { Prompt } from './define-prompt.ts';
import type { Resources } from './define-resources.ts';
import type { Tool } from './define-tool.ts';
import { describePrompt, type PromptListing } from './describe-prompt.ts';
import { describeTool, type ToolListing } from './describe-tool.ts';
import { createStateCodec } from './host-questions.ts';
import { ResourceWatches } from './resource-watches.ts';
import { WorkSlots } from './work-slots.ts';

/** What a server offers, in each primitive of MCP that it uses. */
export interface ServerOptions {
  readonly name: string;
  readonly version: string;
  /** For the host's model: how the tools belong together. */
  readonly instructions?: string;
  readonly tools: readonly Tool[];
  readonly resources?: Resources;
  readonly prompts?: readonly Prompt[];
}

/** One server's offer, read and checked once: each connection or request gets a `Server` made from it. */
export interface PreparedServer {
  readonly options: ServerOptions;
  readonly tools: ReadonlyMap<string, { readonly tool: Tool; readonly listing: ToolListing }>;
  readonly prompts: ReadonlyMap<string, { readonly prompt: Prompt; readonly listing: PromptListing }>;
  readonly watches: ResourceWatches | undefined;
  readonly slots: WorkSlots;
  readonly codec: ReturnType<typeof createStateCodec>;
}

/**
 * Reads what a server offers. At most `atOnce` of its requests are worked on at once; the rest is refused as `retryable`.
 * Throws when two tools or two prompts share a name, or a schema cannot be published.
 */
export function prepareServer(options: ServerOptions, atOnce: number): PreparedServer {
  return {
    options,
    tools: byName('tools', options.tools, (tool) => ({ tool, listing: describeTool(tool) })),
    prompts: byName('prompts', options.prompts ?? [], (prompt) => ({ prompt, listing: describePrompt(prompt) })),
    watches: options.resources === undefined ? undefined : new ResourceWatches(options.resources),
    slots: new WorkSlots(atOnce),
    codec: createStateCodec(),
  };
}

function byName<Item extends { readonly name: string }, Entry>(
  kind: string,
  items: readonly Item[],
  describe: (item: Item) => Entry,
): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const item of items) {
    if (entries.has(item.name)) throw new TypeError(`Two ${kind} are called ${item.name}`);
    entries.set(item.name, describe(item));
  }
  return entries;
}
