import { realpath } from 'node:fs/promises';
import { removeOldViews } from '@capstan/git-repository';
import { openRoot, openStateFolder, runServer } from '@capstan/tool-server';
import { gitReadPrompts } from './prompts.ts';
import { readerOf } from './repository-reader.ts';
import { gitReadTools } from './tools.ts';

await runServer(
  {
    name: 'git-read',
    version: '0.1.0',
    summary: 'reads the git repositories of one folder, and changes nothing in them',
    options: {
      root: { value: 'FOLDER', required: true, description: 'The folder that holds the repository, or several' },
      state: { value: 'FOLDER', required: true, description: 'A folder of this server, outside of the root' },
      'git-folder': { value: 'FOLDER', description: 'The git folder of the root, where it has none of its own' },
      trust: { value: 'FOLDER', multiple: true, description: 'Git data may lie here too. May be given more than once' },
      'search-path': { value: 'PATH', description: 'Where git is looked for. Without: PATH' },
    },
    open: async (given) => {
      const root = await openRoot('git-read', given.root);
      const stateFolder = await openStateFolder('git-read', given.state, root);
      await removeOldViews(stateFolder);
      const open = readerOf({
        root,
        gitFolder: given['git-folder'],
        trusted: await Promise.all(given.trust.map((folder) => realpath(folder))),
        stateFolder,
        searchPath: given['search-path'] ?? process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
      });
      return {
        instructions:
          'Reads git repositories of one workspace and changes nothing: git_status first, git_diff for changes, git_log and git_show for history, git_blame for lines.',
        tools: gitReadTools(open),
        prompts: gitReadPrompts(open),
      };
    },
  },
  process,
);
