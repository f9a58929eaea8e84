import { randomUUID } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { CapstanError } from '@capstan/contracts';
import { removeOldViews } from '@capstan/git-repository';
import { openRoot, openStateFolder, runServer } from '@capstan/tool-server';
import { CallJournal } from './call-journal.ts';
import { EffectQueue } from './effect.ts';
import { isIdentity } from './identity.ts';
import { type DangerousName, dangerousNames, gitWriteTools } from './tools.ts';

await runServer(
  {
    name: 'git-write',
    version: '0.1.0',
    summary: 'changes the git repositories of one folder; what it overwrites is kept',
    options: {
      root: { value: 'FOLDER', required: true, description: 'The folder that holds the repository, or several' },
      state: { value: 'FOLDER', required: true, description: 'A folder of this server, outside of the root' },
      worktrees: { value: 'FOLDER', description: 'Where worktrees are made. Without: in the state folder' },
      identity: { value: 'PERSON', description: 'Who commits, e.g. "Ann <ann@example.org>"' },
      enable: { value: 'TOOL', multiple: true, description: `Dangerous tools: ${dangerousNames.join(', ')}` },
      'push-protocol': { value: 'NAME', multiple: true, description: 'What pushes use. Without: https and ssh' },
      trust: { value: 'FOLDER', multiple: true, description: 'Git data may lie here too. May be given more than once' },
      'search-path': { value: 'PATH', description: 'Where git is looked for. Without: PATH' },
    },
    open: async (given) => {
      const root = await openRoot('git-write', given.root);
      const stateFolder = await openStateFolder('git-write', given.state, root);
      if (given.identity !== undefined && !isIdentity(given.identity)) {
        throw usage('--identity is no name and address', 'Write it as "Ann <ann@example.org>".');
      }
      const journal = new CallJournal(stateFolder);
      await journal.open();
      await removeOldViews(stateFolder);
      return {
        instructions:
          'Changes git repositories of one workspace: git_stage, then git_commit; git_create_branch and git_switch for branches; git_restore takes changes back and keeps them. Each tool has a dry run. For reading use git-read.',
        tools: gitWriteTools(
          {
            place: {
              root,
              stateFolder,
              trusted: await Promise.all(given.trust.map((folder) => realpath(folder))),
              searchPath: given['search-path'] ?? process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
            },
            worktrees: await madeFolder(given.worktrees ?? join(stateFolder, 'worktrees')),
            identity: given.identity,
            pushProtocols: given['push-protocol'].length === 0 ? ['https', 'ssh'] : given['push-protocol'],
            agentSocket: process.env.SSH_AUTH_SOCK,
            journal,
            queue: new EffectQueue(),
            nextId: () => randomUUID(),
          },
          enabledTools(given.enable),
        ),
      };
    },
  },
  process,
);

async function madeFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return realpath(folder);
}

function enabledTools(names: readonly string[]): readonly DangerousName[] {
  const unknown = names.find((name) => !dangerousNames.some((known) => known === name));
  if (unknown !== undefined)
    throw usage(`there is no dangerous tool ${unknown}`, `Give one of: ${dangerousNames.join(', ')}.`);
  return dangerousNames.filter((name) => names.includes(name));
}

function usage(message: string, hint: string): CapstanError {
  return new CapstanError('usage', `git-write: ${message}.`, { hint });
}
