import type { ToolResult } from '@capstan/contracts';

const maximumEntries = 200;

/** Results by key, least recently used out first. In memory: a restart reads anew. */
export interface ResultCache {
  get(key: string): ToolResult | undefined;
  set(key: string, result: ToolResult): void;
}

/** An empty cache of at most 200 results. */
export function createResultCache(): ResultCache {
  const entries = new Map<string, ToolResult>();
  return {
    get(key) {
      const found = entries.get(key);
      if (found === undefined) return undefined;
      entries.delete(key);
      entries.set(key, found);
      return found;
    },
    set(key, result) {
      entries.set(key, result);
      const oldest = entries.keys().next();
      if (entries.size > maximumEntries && !oldest.done) entries.delete(oldest.value);
    },
  };
}
