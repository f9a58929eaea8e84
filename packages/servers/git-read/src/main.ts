import { mkdir, realpath } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { serveTools } from '@capstan/tool-server';
import { blameFileTool } from './blame-file.ts';
import { listBranchesTool } from './list-branches.ts';
import { listCommitsTool } from './list-commits.ts';
import { readerOf } from './repository-reader.ts';
import { showCommitTool } from './show-commit.ts';
import { showDiffTool } from './show-diff.ts';
import { showStatusTool } from './show-status.ts';

const { values } = parseArgs({
  options: {
    root: { type: 'string' },
    state: { type: 'string' },
    'git-folder': { type: 'string' },
    trust: { type: 'string', multiple: true, default: [] },
    'search-path': { type: 'string' },
  },
});
if (values.root === undefined || values.state === undefined) {
  console.error(
    'Use: main.ts --root FOLDER --state FOLDER [--git-folder FOLDER] [--trust FOLDER] [--search-path PATH]',
  );
  process.exit(2);
}
const root = await realpath(values.root);
await mkdir(values.state, { recursive: true, mode: 0o700 });

const open = readerOf({
  root,
  gitFolder: values['git-folder'],
  trusted: await Promise.all(values.trust.map((folder) => realpath(folder))),
  stateFolder: await realpath(values.state),
  searchPath: values['search-path'] ?? process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
});

await serveTools({
  name: 'git-read',
  version: '0.1.0',
  instructions:
    'Reads git repositories of one workspace and changes nothing: git_status first, git_diff for changes, git_log and git_show for history, git_blame for lines.',
  tools: [
    showStatusTool(open),
    showDiffTool(open),
    listCommitsTool(open),
    showCommitTool(open),
    blameFileTool(open),
    listBranchesTool(open),
  ],
});
