import { defineTool, type Tool } from '@capstan/tool-server';
import { checkRelativePath, compileGlob, walkFiles } from '@capstan/workspace';
import { z } from 'zod';

/** Deepest level of a listing. */
const deepest = 32;

const description = `Lists files and folders of the workspace by name, folders with a slash at the end. Use it to see how a project is laid out or to find files by name. \
Leaves out .git, secrets and what .gitignore files leave out; links are listed, not followed. \
Shows 200 entries unless told, and says when there are more. For words inside files use search_text; for contents read_files.`;

/** The tool that lists names. */
export function listFilesTool(root: string): Tool {
  return defineTool({
    name: 'list_files',
    title: 'List files',
    description,
    tier: 'read',
    idempotent: true,
    input: z.strictObject({
      path: z.string().default('.').describe('Folder to start in, relative to the workspace, e.g. "packages/core"'),
      glob: z
        .string()
        .min(1)
        .max(500)
        .optional()
        .describe('Only files that match, e.g. "**/*.test.ts" or "*.{js,mjs}"'),
      depth: z
        .number()
        .int()
        .min(1)
        .max(deepest)
        .optional()
        .describe('Levels below the folder, e.g. 1; 3 unless a glob is given'),
      limit: z.number().int().min(1).max(1000).default(200).describe('Most entries to show, e.g. 500'),
      ignored: z.boolean().default(false).describe('Also what .gitignore leaves out, e.g. true to look into dist'),
    }),
    output: z.strictObject({
      entries: z.array(z.strictObject({ path: z.string(), kind: z.enum(['file', 'folder', 'link', 'other']) })),
      complete: z.boolean().describe('False if there are more entries than shown'),
    }),
    handler: async ({ path, glob, depth, limit, ignored }, { signal }) => {
      const start = checkRelativePath(path);
      if ('failure' in start) return start;
      const matches = glob === undefined ? undefined : compileGlob(glob);
      const entries: { path: string; kind: 'file' | 'folder' | 'link' | 'other' }[] = [];
      const options = { depth: depth ?? (matches === undefined ? 3 : deepest), ignore: !ignored };
      const walked = await walkFiles(root, start.path, options, async (entry) => {
        if (matches !== undefined && (entry.kind === 'folder' || !matches(entry.path))) return !signal.aborted;
        if (entries.length >= limit) return false;
        entries.push({ path: entry.path, kind: entry.kind });
        return !signal.aborted;
      });
      if ('failure' in walked) return walked;
      const lines = entries.map(
        (entry) => `${entry.path}${entry.kind === 'folder' ? '/' : entry.kind === 'link' ? '@' : ''}`,
      );
      if (lines.length === 0) lines.push(glob === undefined ? '(empty)' : `(no file matches ${glob})`);
      if (!walked.complete) lines.push(`(more than ${limit} entries: give a deeper path, a glob or a higher limit)`);
      return { text: lines.join('\n'), structured: { entries, complete: walked.complete } };
    },
  });
}
