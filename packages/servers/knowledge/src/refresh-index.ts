import type { KnowledgeIndex } from '@capstan/knowledge';
import { defineTool, type Tool } from '@capstan/tool-server';
import { z } from 'zod';
import { IndexStateShown, shownState, stateLine } from './index-state.ts';

const description = `Brings the index up to date and says what it holds: files, changes found, what has no searchable content and why. Use it before the first search in a very large repository, or to see why a file is not found. \
Searches look for changes by themselves, so it is not needed before each one. Changes no file of the workspace. To search use search_ranked.`;

/** The tool that makes the index, and tells about it. */
export function refreshIndexTool(knowledge: KnowledgeIndex): Tool {
  return defineTool({
    name: 'refresh_index',
    title: 'Refresh the index',
    description,
    tier: 'read',
    idempotent: true,
    input: z.strictObject({
      waitSeconds: z.number().int().min(1).max(600).default(60).describe('Longest time to wait, e.g. 300'),
    }),
    output: z.strictObject({
      text: z.number().describe('Files whose words are indexed'),
      binary: z.number(),
      tooLarge: z.number().describe('Over 2 MiB: found by path only'),
      unreadable: z.number().describe('No right to read, a second hard link, or vanished'),
      added: z.number().describe('By the last comparison with the files'),
      changed: z.number(),
      removed: z.number(),
      index: IndexStateShown,
    }),
    handler: async ({ waitSeconds }, { progress }) => {
      await progress('Comparing the files with the index');
      const patience = { firstMs: waitSeconds * 1_000, againMs: waitSeconds * 1_000 };
      return knowledge.use(patience, ({ store }, state) => {
        const { added = 0, changed = 0, removed = 0 } = state.last ?? {};
        const counts = {
          text: store.count('text'),
          binary: store.count('binary'),
          tooLarge: store.count('too-large'),
          unreadable: store.count('unreadable'),
        };
        const text = [
          `${counts.text} files with searchable words; by path only: ${counts.binary} binary, ${counts.tooLarge} too large, ${counts.unreadable} unreadable.`,
          `Last comparison: ${added} added, ${changed} changed, ${removed} removed.`,
          stateLine(state),
        ].join('\n');
        return { text, structured: { ...counts, added, changed, removed, index: shownState(state) } };
      });
    },
  });
}
