import { findText, type TextPlace } from '@capstan/knowledge';
import { defineTool, param, type Tool } from '@capstan/tool-server';
import { checkRelativePath, compileGlob } from '@capstan/workspace';
import { z } from 'zod';
import { textBytes } from './fitting-parts.ts';

/** A page ends after this time; the next one goes on. */
const pageMs = 5_000;

const description = `Finds every line that holds a text, exactly as written, in the order of files. Use it when you know the word: a name, a message, a setting, to see all places before a change. \
Reads the files themselves, so it is never out of date; a page ends at 100 lines, 15 KiB or 5 seconds, and its cursor goes on. \
Leaves out secrets, ignored and binary files. When you do not know the words use search_ranked; for a regular expression search_text of fs-read.`;

/** The tool for exact search. `steady` is a clock in milliseconds that nobody sets. */
export function findTextTool(root: string, steady: () => number): Tool {
  return defineTool({
    name: 'find_text',
    title: 'Find exact text',
    description,
    tier: 'read',
    idempotent: true,
    input: z.strictObject({
      text: z.string().min(1).max(1000).describe('Text to find, taken literally, e.g. "retryCount" or "连接超时"'),
      ignoreCase: z.boolean().default(false).describe('Capital and small letters are the same, e.g. true'),
      wholeWord: z.boolean().default(false).describe('Not inside longer words, e.g. true: "id" but not "width"'),
      folder: z.string().default('.').describe('Folder to search in, relative to the workspace, e.g. "src"'),
      glob: z.string().min(1).max(500).optional().describe('Only in files that match, e.g. "*.ts" or "docs/**/*.md"'),
      limit: z.number().int().min(1).max(500).default(100).describe('Most lines of one page, e.g. 50'),
      cursor: z.string().max(5000).optional().describe('nextCursor of the page before, e.g. "12:src/a.ts"'),
    }),
    output: z.strictObject({
      lines: z.array(z.strictObject({ path: z.string(), line: z.number(), text: z.string() })),
      filesSearched: z.number(),
      filesSkipped: z.number().describe('Binary, over 16 MiB, or not to be opened'),
      nextCursor: z.string().optional().describe('Absent: everything was searched'),
    }),
    handler: async ({ folder, glob, cursor, ...query }, { signal }) => {
      const start = checkRelativePath(folder);
      if ('failure' in start) return start;
      const after = cursor === undefined ? undefined : readCursor(cursor);
      if (cursor !== undefined && after === undefined) {
        return param('The cursor is none that find_text gave.', 'Leave out cursor to begin at the first file.');
      }
      const end = steady() + pageMs;
      const page = await findText(
        root,
        {
          ...query,
          ...(after === undefined ? {} : { after }),
          folder: start.path,
          matches: glob === undefined ? () => true : compileGlob(glob),
          bytes: textBytes,
        },
        () => signal.aborted || steady() > end,
      );
      if ('failure' in page) return page;
      const { next, ...found } = page;
      const nextCursor = next === undefined ? {} : { nextCursor: `${next.line}:${next.path}` };
      return { text: showPage({ ...found, ...nextCursor }), structured: { ...found, ...nextCursor } };
    },
  });
}

function readCursor(cursor: string): TextPlace | undefined {
  const [, line, path] = /^(\d{1,16}):(.*)$/s.exec(cursor) ?? [];
  return line === undefined || path === undefined ? undefined : { line: Number(line), path };
}

interface ShownPage {
  readonly lines: readonly { readonly path: string; readonly line: number; readonly text: string }[];
  readonly filesSearched: number;
  readonly filesSkipped: number;
  readonly nextCursor?: string;
}

function showPage({ lines, filesSearched, filesSkipped, nextCursor }: ShownPage): string {
  const skipped = filesSkipped === 0 ? '' : `, ${filesSkipped} skipped`;
  return [
    ...lines.map(({ path, line, text }) => `${path}:${line}: ${text}`),
    `(${lines.length} lines in ${filesSearched} files searched${skipped})`,
    ...(nextCursor === undefined ? [] : [`(not everything was searched: go on with cursor "${nextCursor}")`]),
  ].join('\n');
}
