import { randomUUID } from 'node:crypto';
import { openRoot, openStateFolder, runServer } from '@capstan/tool-server';
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
      const root = await openRoot('fs-write', given.root);
      const state = await openStateFolder('fs-write', given.state, root);
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

/** Removes what a process that died in the middle of a change left beside its files. */
async function openJournal(root: string, state: string): Promise<FileJournal> {
  const journal = new FileJournal(state);
  await journal.open();
  for (const record of await journal.unfinished()) {
    for (const change of record.changes) await removeTemporary(root, change.path, record.id);
  }
  return journal;
}
