import { realpath } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { serveTools } from '@capstan/tool-server';
import { listFilesTool } from './list-files.ts';
import { readFilesTool } from './read-files.ts';
import { searchTextTool } from './search-text.ts';

const { values } = parseArgs({ options: { root: { type: 'string' } } });
if (values.root === undefined) {
  console.error('Use: main.ts --root FOLDER');
  process.exit(2);
}
const root = await realpath(values.root);

await serveTools({
  name: 'fs-read',
  version: '0.1.0',
  instructions:
    'Reads the files of one workspace: list_files for names, search_text for places, read_files for contents.',
  tools: [listFilesTool(root), searchTextTool(root, () => performance.now()), readFilesTool(root)],
});
