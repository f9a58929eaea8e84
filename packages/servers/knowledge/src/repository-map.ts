import { drawMap, type KnowledgeIndex, rankFiles } from '@capstan/knowledge';
import { defineTool, type Tool } from '@capstan/tool-server';
import { checkRelativePath } from '@capstan/workspace';
import { z } from 'zod';
import { textBytes } from './fitting-parts.ts';
import { inFolder } from './in-folder.ts';
import { IndexStateShown, shownState, stateLine } from './index-state.ts';
import { searchPatience } from './search-patience.ts';

/** Files that a topic makes the map start from. */
const starts = 10;

const description = `Shows the files that the rest of the repository refers to most, with their most used symbols and lines, within a budget of bytes. Use it first in a repository that you do not know, or with about to see what belongs to a topic. \
References are told by names, without understanding a language. \
For the symbols of given files use outline; for a question search_ranked; for places of a word find_text.`;

/** The tool for an overview by references. */
export function repositoryMapTool(knowledge: KnowledgeIndex): Tool {
  return defineTool({
    name: 'repository_map',
    title: 'Map the repository',
    description,
    tier: 'read',
    idempotent: true,
    input: z.strictObject({
      budget: z.number().int().min(200).max(textBytes).default(4096).describe('Bytes of text at most, e.g. 8000'),
      about: z.string().min(1).max(2000).optional().describe('Topic to draw it around, e.g. "login and sessions"'),
      folder: z.string().default('.').describe('Only files in this folder, relative to the workspace, e.g. "packages"'),
      glob: z.string().min(1).max(500).optional().describe('Only files that match, e.g. "*.go"'),
    }),
    output: z.strictObject({
      files: z.array(
        z.strictObject({
          path: z.string(),
          mentionedBy: z.number().describe('Files that mention something that this one declares'),
          symbols: z.array(z.strictObject({ line: z.number(), kind: z.string(), name: z.string() })),
        }),
      ),
      left: z.number().describe('Files that found no room'),
      index: IndexStateShown,
    }),
    handler: async ({ budget, about, folder, glob }) => {
      const start = checkRelativePath(folder);
      if ('failure' in start) return start;
      const shows = inFolder(start.path, glob);
      return knowledge.use(searchPatience, async (index, state) => {
        const topic = about === undefined ? [] : (await rankFiles(index, about, () => true)).hits.slice(0, starts);
        const aboutPaths = new Set(topic.map((hit) => hit.path));
        const map = drawMap(knowledge.graph(index), { budget, shows, about: aboutPaths });
        const notes = [
          ...(about !== undefined && topic.length === 0 ? ['(nothing fits the topic: this is the general map)'] : []),
          ...(map.left > 0 ? [`(${map.left} more files: raise budget, or give folder, glob or about)`] : []),
          stateLine(state),
        ];
        return {
          text: [...(map.text === '' ? [] : [map.text]), ...notes].join('\n'),
          structured: { files: map.files, left: map.left, index: shownState(state) },
        };
      });
    },
  });
}
