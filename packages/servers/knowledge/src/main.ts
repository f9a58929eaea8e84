import { performance } from 'node:perf_hooks';
import { KnowledgeIndex } from '@capstan/knowledge';
import { openRoot, openStateFolder, runServer } from '@capstan/tool-server';
import { documentResources } from './documents.ts';
import { endpointOf } from './endpoint-of.ts';
import { findTextTool } from './find-text.ts';
import { outlineTool } from './outline.ts';
import { refreshIndexTool } from './refresh-index.ts';
import { repositoryMapTool } from './repository-map.ts';
import { searchRankedTool } from './search-ranked.ts';

const { CAPSTAN_EMBEDDINGS_KEY: key } = process.env;

await runServer(
  {
    name: 'knowledge',
    version: '0.1.0',
    summary: 'finds text, files and symbols in one folder of code and documents',
    options: {
      root: { value: 'FOLDER', required: true, description: 'The folder that is searched' },
      state: { value: 'FOLDER', required: true, description: 'Holds the index; outside of the root' },
      'embeddings-url': {
        value: 'URL',
        description: "An endpoint like OpenAI's, e.g. http://127.0.0.1:11434/v1; its key: CAPSTAN_EMBEDDINGS_KEY",
      },
      'embeddings-model': { value: 'NAME', description: 'With --embeddings-url, e.g. nomic-embed-text' },
    },
    open: async (given) => {
      const root = await openRoot('knowledge', given.root);
      const embeddings = endpointOf(given['embeddings-url'], given['embeddings-model'], key);
      const steady = () => performance.now();
      const knowledge = new KnowledgeIndex({
        root,
        stateFolder: await openStateFolder('knowledge', given.state, root),
        clock: { now: () => Date.now(), steady },
        ...(embeddings === undefined ? {} : { embeddings }),
      });
      return {
        instructions:
          'Searches one workspace: find_text for every place of a known text, search_ranked for files when you do not know the words, outline for what files declare, repository_map for an overview.',
        tools: [
          findTextTool(root, steady),
          searchRankedTool(root, knowledge),
          outlineTool(root),
          repositoryMapTool(knowledge),
          refreshIndexTool(knowledge),
        ],
        resources: documentResources(root, knowledge),
      };
    },
  },
  process,
);
