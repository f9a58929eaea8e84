import { performance } from 'node:perf_hooks';
import { openRoot, runServer } from '@capstan/tool-server';
import { listFilesTool } from './list-files.ts';
import { fsReadPrompts } from './prompts.ts';
import { readFilesTool } from './read-files.ts';
import { fileResources } from './resources/file-resources.ts';
import { searchTextTool } from './search-text.ts';
import { showTreeTool } from './show-tree.ts';
import { statFilesTool } from './stat-files.ts';

await runServer(
  {
    name: 'fs-read',
    version: '0.1.0',
    summary: 'reads the files of one folder, and never its secrets',
    options: { root: { value: 'FOLDER', required: true, description: 'The folder that is read' } },
    open: async (given) => {
      const root = await openRoot('fs-read', given.root);
      const now = () => performance.now();
      return {
        instructions:
          'Reads the files of one workspace: list_files for names, search_text for places, read_files for contents; show_tree and stat_files for an overview.',
        tools: [
          listFilesTool(root),
          searchTextTool(root, now),
          readFilesTool(root),
          statFilesTool(root),
          showTreeTool(root, now),
        ],
        resources: fileResources(root),
        prompts: fsReadPrompts(root),
      };
    },
  },
  process,
);
