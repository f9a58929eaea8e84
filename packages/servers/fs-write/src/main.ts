import { randomUUID } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { serveTools } from '@capstan/tool-server';
import { removeTemporary } from '@capstan/workspace';
import { FileJournal } from './file-journal.ts';
import { fsWriteTools } from './tools.ts';
import { Turnstile } from './turnstile.ts';
import { workspaceFiles } from './workspace-files.ts';

const { values } = parseArgs({ options: { root: { type: 'string' }, state: { type: 'string' } } });
if (values.root === undefined || values.state === undefined) {
  console.error('Use: main.ts --root FOLDER --state FOLDER');
  process.exit(2);
}
const root = await realpath(values.root);
await mkdir(values.state, { recursive: true, mode: 0o700 });
const state = await realpath(values.state);
if (state === root || state.startsWith(`${root}/`)) {
  console.error('The state folder must lie outside the workspace.');
  process.exit(2);
}

const journal = new FileJournal(state);
await journal.open();
for (const record of await journal.unfinished()) {
  for (const change of record.changes) await removeTemporary(root, change.path, record.id);
}

await serveTools({
  name: 'fs-write',
  version: '0.1.0',
  instructions:
    'Changes the files of one workspace: edit_files for existing files, write_files for new ones, delete_files and restore_files.',
  tools: fsWriteTools({
    root,
    journal,
    files: workspaceFiles(root),
    turnstile: new Turnstile(),
    nextId: () => randomUUID(),
  }),
});
