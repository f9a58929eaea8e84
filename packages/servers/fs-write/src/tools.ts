import { defineTool, type Tool } from '@capstan/tool-server';
import { z } from 'zod';
import { IfHash } from './check-hash.ts';
import { ChangeReply } from './describe-changes.ts';
import { type EffectDeps, runEffect } from './effect.ts';
import { planDeletes } from './plan-deletes.ts';
import { planEdits } from './plan-edits.ts';
import { planMoves } from './plan-moves.ts';
import { planPatch } from './plan-patch.ts';
import { planRestore } from './plan-restore.ts';
import { planWrites } from './plan-writes.ts';

const dryRun = z.boolean().default(false).describe('Only show what would happen, e.g. true');
const path = z.string().describe('Relative to the workspace, e.g. "src/sum.mjs"');
const common = { tier: 'write', idempotent: true, destructive: true, output: ChangeReply } as const;

/** The tools of this server. */
export function fsWriteTools(deps: EffectDeps): Tool[] {
  return [editFiles(deps), writeFiles(deps), moveFiles(deps), deleteFiles(deps), applyPatch(deps), restoreFiles(deps)];
}

function editFiles(deps: EffectDeps): Tool {
  return defineTool({
    ...common,
    name: 'edit_files',
    title: 'Edit files',
    description: `Replaces exact text in files, up to 50 edits in one call: all are made or none. Use it for every change to an existing file, after read_files. \
oldText must occur once (or say which by line, or how often by expectedCount); if only white space differs, whole lines are matched and re-indented, and the reply says so. \
Encoding and line ends are kept. A miss shows the nearest text. Not for secrets, .git or binary files. For new files use write_files, to remove files delete_files.`,
    input: z.strictObject({
      edits: z
        .array(
          z.strictObject({
            path,
            oldText: z
              .string()
              .max(200_000)
              .describe('Text as in the file, without line numbers, e.g. "return a - b;"'),
            newText: z.string().max(200_000).describe('What to put there, e.g. "return a + b;"; empty to remove'),
            line: z
              .number()
              .int()
              .min(1)
              .optional()
              .describe('Line on which oldText starts, where it occurs more than once, e.g. 12'),
            expectedCount: z
              .number()
              .int()
              .min(1)
              .max(1000)
              .optional()
              .describe('Replace all, if there are exactly so many, e.g. 3'),
            ifHash: IfHash,
          }),
        )
        .min(1)
        .max(50)
        .describe(
          'Edits in order; those of one file build on each other, e.g. [{"path":"a.ts","oldText":"1","newText":"2"}]',
        ),
      dryRun,
    }),
    handler: (input, context) => runEffect(deps, 'edit_files', input, context, () => planEdits(deps.root, input.edits)),
  });
}

function writeFiles(deps: EffectDeps): Tool {
  return defineTool({
    ...common,
    name: 'write_files',
    title: 'Write files',
    description: `Writes up to 20 whole text files in one call: all or none; missing folders are made. Use it for new files. \
An existing file is replaced only with ifHash or overwrite, and keeps its mode, encoding and line ends. Not for secrets or .git. \
To change part of a file use edit_files.`,
    input: z.strictObject({
      files: z
        .array(
          z.strictObject({
            path,
            content: z.string().max(2_000_000).describe('The whole content, e.g. "export const one = 1;\\n"'),
            overwrite: z.boolean().default(false).describe('Replace an existing file whatever it holds, e.g. true'),
            ifHash: IfHash,
          }),
        )
        .min(1)
        .max(20)
        .describe('Files to write, e.g. [{"path":"src/one.mjs","content":"export const one = 1;\\n"}]'),
      dryRun,
    }),
    handler: (input, context) =>
      runEffect(deps, 'write_files', input, context, () => planWrites(deps.root, input.files)),
  });
}

function deleteFiles(deps: EffectDeps): Tool {
  return defineTool({
    ...common,
    name: 'delete_files',
    title: 'Delete files',
    description: `Deletes up to 50 files in one call: all or none. Use it for files that are no longer needed. The contents are kept outside the workspace: restore_files brings them back. \
Does not delete folders, links, secrets or .git. To empty or change a file use edit_files.`,
    input: z.strictObject({
      paths: z.array(path).min(1).max(50).describe('Files to delete, e.g. ["src/old.mjs"]'),
      dryRun,
    }),
    handler: (input, context) =>
      runEffect(deps, 'delete_files', input, context, () => planDeletes(deps.root, input.paths)),
  });
}

function moveFiles(deps: EffectDeps): Tool {
  return defineTool({
    ...common,
    name: 'move_files',
    title: 'Move files',
    description: `Moves or renames up to 50 files in one call: all or none; missing folders are made. Use it instead of writing a file anew and deleting the old one. \
Never replaces a file unless told by overwrite; restore_files takes it back. References in other files are not changed: search for them and use edit_files. \
Does not move folders as such, links, secrets or .git.`,
    input: z.strictObject({
      moves: z
        .array(
          z.strictObject({
            from: z.string().describe('What to move, e.g. "src/old.mjs"'),
            to: z.string().describe('The whole new path, e.g. "src/parts/new.mjs"'),
            overwrite: z.boolean().default(false).describe('Replace a file that is at the new path, e.g. true'),
            ifHash: IfHash,
          }),
        )
        .min(1)
        .max(50)
        .describe('Moves, each file named once, e.g. [{"from":"a.ts","to":"b.ts"}]'),
      dryRun,
    }),
    handler: (input, context) => runEffect(deps, 'move_files', input, context, () => planMoves(deps.root, input.moves)),
  });
}

function applyPatch(deps: EffectDeps): Tool {
  return defineTool({
    ...common,
    name: 'apply_patch',
    title: 'Apply patch',
    description: `Applies a unified diff of any number of files in one call: all hunks or none. Use it for a patch that exists already, or for changes all over a file; for single changes edit_files is surer. \
Context and removed lines must stand in the file (white space may differ on whole lines, where that is unique); line numbers only choose between equal places. \
Makes and deletes files by /dev/null. Not for renames (move_files), modes, binary files, secrets or .git.`,
    input: z.strictObject({
      patch: z
        .string()
        .min(1)
        .max(2_000_000)
        .describe('Unified diff, e.g. "--- a/x.ts\\n+++ b/x.ts\\n@@ -1 +1 @@\\n-old\\n+new\\n"'),
      dryRun,
    }),
    handler: (input, context) =>
      runEffect(deps, 'apply_patch', input, context, () => planPatch(deps.root, input.patch)),
  });
}

function restoreFiles(deps: EffectDeps): Tool {
  return defineTool({
    ...common,
    name: 'restore_files',
    title: 'Restore files',
    description: `Takes back one earlier change of this server: deleted and moved files return, edited ones get their old content. Use it for a change that was a mistake. \
Refused when one of its files was changed since; then use edit_files.`,
    input: z.strictObject({
      changeId: z.string().max(40).describe('From the reply of the change, e.g. "1f3a5c7e9b2d4f6a8c0e"'),
      dryRun,
    }),
    handler: (input, context) =>
      runEffect(deps, 'restore_files', input, context, () => planRestore(deps.root, deps.journal, input.changeId)),
  });
}
