import { randomUUID } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { CapstanError } from '@capstan/contracts';
import { runServer } from '@capstan/tool-server';
import { removeTemporary } from '@capstan/workspace';
import { FileJournal } from './file-journal.ts';
import { protectedChanges } from './protected-changes.ts';
import { fsWriteTools } from './tools.ts';
import { Turnstile } from './turnstile.ts';
import { workspaceFiles } from './workspace-files.ts';

await runServer(
  {
    name: 'fs-write',
    version: '0.1.0',
    summary: 'changes the files of one folder; each change is atomic and can be taken back',
    options: {
      root: { value: 'FOLDER', required: true, description: 'The folder whose files are changed' },
      state: {
        value: 'FOLDER',
        required: true,
        description: 'Where what was there before is kept, outside of the root',
      },
      protect: { value: 'PATTERN', multiple: true, description: 'Paths that no tool changes, e.g. "tests/**"' },
    },
    open: async (given) => {
      const { root, state } = await openFolders(given.root, given.state);
      return {
        instructions:
          'Changes the files of one workspace: edit_files for existing files, write_files for new ones, move_files, delete_files, apply_patch for a whole diff; restore_files takes a change back.',
        tools: fsWriteTools({
          root,
          journal: await openJournal(root, state),
          files: workspaceFiles(root),
          turnstile: new Turnstile(),
          refuses: protectedChanges(root, given.protect),
          nextId: () => randomUUID(),
        }),
      };
    },
  },
  process,
);

async function openFolders(rootGiven: string, stateGiven: string): Promise<{ root: string; state: string }> {
  const root = await realpath(rootGiven);
  await mkdir(stateGiven, { recursive: true, mode: 0o700 });
  const state = await realpath(stateGiven);
  if (state === root || state.startsWith(`${root}/`)) {
    throw new CapstanError('usage', 'fs-write: the state folder must lie outside the workspace.', {
      hint: 'Give another folder with --state.',
    });
  }
  return { root, state };
}

/** Removes what a process that died in the middle of a change left beside its files. */
async function openJournal(root: string, state: string): Promise<FileJournal> {
  const journal = new FileJournal(state);
  await journal.open();
  for (const record of await journal.unfinished()) {
    for (const change of record.changes) await removeTemporary(root, change.path, record.id);
  }
  return journal;
}
