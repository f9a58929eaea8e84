import { type OutlineSymbol, outlineFile } from '@capstan/knowledge';
import { defineTool, type Tool } from '@capstan/tool-server';
import { decodeText, foldLineEnds, readFileInside } from '@capstan/workspace';
import { z } from 'zod';
import { countFitting, textBytes } from './fitting-parts.ts';

const description = `Lists what files declare, with lines: functions, classes and their members, types, headings of documents. Use it to find the right place in long files before reading them. \
JavaScript and TypeScript are read from the syntax tree; Python, Go, Rust, Java, C, Ruby, PHP, Markdown and others by how their lines begin, which comments and strings can deceive. \
Not for contents: read the file for them; for uses of a name find_text; for the whole repository repository_map.`;

const Outline = z.strictObject({
  path: z.string(),
  by: z.enum(['syntax tree', 'line patterns']).optional(),
  symbols: z.array(z.strictObject({ line: z.number(), depth: z.number(), kind: z.string(), name: z.string() })),
  complete: z.boolean().describe('False if there are more symbols than shown'),
  error: z.string().optional().describe('Why there is no outline'),
});
type Outline = z.infer<typeof Outline>;

/** The tool for the symbols of files, read when asked. */
export function outlineTool(root: string): Tool {
  return defineTool({
    name: 'outline',
    title: 'Outline files',
    description,
    tier: 'read',
    idempotent: true,
    input: z.strictObject({
      paths: z
        .array(z.string())
        .min(1)
        .max(50)
        .describe('Files, relative to the workspace, e.g. ["src/server.ts", "README.md"]'),
      depth: z.number().int().min(0).max(8).default(8).describe('Levels below the top of a file, e.g. 0: no members'),
    }),
    output: z.strictObject({ files: z.array(Outline) }),
    handler: async ({ paths, depth }) => {
      const files: Outline[] = [];
      let left = textBytes;
      for (const [index, path] of paths.entries()) {
        const outline = await outlineOf(root, path, depth);
        if ('failure' in outline && paths.length === 1) return outline;
        const shown = 'failure' in outline ? withoutOutline(path, outline.failure) : outline;
        const cut = cutOutline(shown, Math.floor(left / (paths.length - index)));
        left -= Buffer.byteLength(showOutline(cut)) + 1;
        files.push(cut);
      }
      return { text: files.map(showOutline).join('\n'), structured: { files } };
    },
  });
}

async function outlineOf(root: string, path: string, depth: number) {
  const read = await readFileInside(root, path);
  if ('failure' in read) return read;
  const decoded = decodeText(read.bytes);
  if (decoded === undefined) return withoutOutline(path, { message: 'The content is binary.' });
  const outline = await outlineFile(path, foldLineEnds(decoded.text).text);
  if (outline === undefined) {
    return withoutOutline(path, { message: 'No outline is known for this kind of file.', hint: 'Read it.' });
  }
  return { path, by: outline.by, symbols: outline.symbols.filter((symbol) => symbol.depth <= depth), complete: true };
}

function withoutOutline(path: string, { message, hint }: { message: string; hint?: string | undefined }): Outline {
  return { path, symbols: [], complete: true, error: hint === undefined ? message : `${message} ${hint}` };
}

/** As many symbols as fit into so many bytes. */
function cutOutline(outline: Outline, bytes: number): Outline {
  const room = bytes - Buffer.byteLength(outline.path) - 120;
  const count = countFitting(outline.symbols.map(showSymbol), room);
  return count >= outline.symbols.length
    ? outline
    : { ...outline, symbols: outline.symbols.slice(0, count), complete: false };
}

function showOutline({ path, by, symbols, complete, error }: Outline): string {
  if (error !== undefined) return `== ${path}: ${error}`;
  const lines = symbols.length === 0 ? ['(declares nothing)'] : symbols.map(showSymbol);
  const more = complete ? [] : [`(more after line ${symbols.at(-1)?.line}: ask for this file alone, or with depth 0)`];
  return [`== ${path} (by ${by})`, ...lines, ...more].join('\n');
}

function showSymbol({ line, depth, kind, name }: OutlineSymbol): string {
  return `${'  '.repeat(depth)}${line}: ${kind} ${name}`;
}
