import { type Failure, sizes } from '@capstan/contracts';
import { defineTool, type Tool } from '@capstan/tool-server';
import { decodeText, foldLineEnds, readFileInside } from '@capstan/workspace';
import { z } from 'zod';
import { cutText } from './cut-text.ts';
import { LineEnds, textFacts } from './text-facts.ts';

/** Kept free for headings and notes. Bytes. */
const headingReserve = 4 * 1024;

const Request = z.strictObject({
  path: z.string().describe('Relative to the workspace, e.g. "src/sum.mjs"'),
  fromLine: z
    .number()
    .int()
    .refine((line) => line !== 0, 'lines are counted from 1, or from -1 at the end')
    .optional()
    .describe('First line wanted, e.g. 40; or -20 for the last 20'),
  toLine: z.number().int().min(1).optional().describe('Last line wanted, e.g. 80'),
});

const Part = z.strictObject({
  path: z.string(),
  text: z.string().optional().describe('Line ends are shown as LF, whatever the file has'),
  sha256: z.string().optional().describe('Of the whole file as it is on disk'),
  encoding: z.string().optional(),
  lineEnds: LineEnds.optional(),
  fromLine: z.number().optional(),
  toLine: z.number().optional(),
  totalLines: z.number().optional(),
  cut: z.boolean().optional().describe('True if less than asked for is shown'),
  error: z.string().optional(),
});
type Part = z.infer<typeof Part>;

const description = `Reads up to 20 text files in one call, whole or by lines. Use it before every edit, and for what list_files or search_text found. \
Shows 32 KiB per call, cut at line ends, and says how to go on. Reads UTF-8, UTF-16, GBK and Latin-1; not binary files, secrets (.env, keys) or files over 16 MiB. \
To find where something is use search_text; for names only list_files.`;

/** The tool that reads several files at once (requirement T6). */
export function readFilesTool(root: string): Tool {
  return defineTool({
    name: 'read_files',
    title: 'Read files',
    description,
    tier: 'read',
    idempotent: true,
    input: z.strictObject({
      files: z.array(Request).min(1).max(20).describe('What to read, e.g. [{"path":"src/sum.mjs"}]'),
      lineNumbers: z.boolean().default(false).describe('Put its number before each line, e.g. true'),
    }),
    output: z.strictObject({ files: z.array(Part) }),
    handler: async ({ files, lineNumbers }) => {
      const parts: Part[] = [];
      let failure: Failure | undefined;
      let left = sizes.inlineLimit - headingReserve;
      for (const [index, file] of files.entries()) {
        const part = await readPart(root, file, Math.floor(left / (files.length - index)), lineNumbers);
        if ('failure' in part) {
          failure ??= part.failure;
          parts.push({ path: file.path, error: `${part.failure.message} ${part.failure.hint ?? ''}`.trim() });
        } else {
          left -= Buffer.byteLength(part.text ?? '');
          parts.push(part);
        }
      }
      if (failure !== undefined && parts.every((part) => part.error !== undefined)) return { failure };
      return { text: parts.map(showPart).join('\n'), structured: { files: parts } };
    },
  });
}

async function readPart(
  root: string,
  request: z.infer<typeof Request>,
  budget: number,
  lineNumbers: boolean,
): Promise<Part | { failure: Failure }> {
  const { path, fromLine: wantedLine = 1, toLine = Number.MAX_SAFE_INTEGER } = request;
  const content = await readFileInside(root, path);
  if ('failure' in content) return content;
  const file = decodeText(content.bytes);
  if (file === undefined) return wrong(path, 'the content is binary', 'There is no text to read in it.');
  const folded = foldLineEnds(file.text).text;
  const lines = linesOf(folded);
  const fromLine = wantedLine > 0 ? wantedLine : Math.max(1, lines.length + 1 + wantedLine);
  if (toLine < fromLine) return wrong(path, `toLine ${toLine} lies before line ${fromLine}`, 'Swap them.');
  if (fromLine > Math.max(1, lines.length)) return wrong(path, `it has ${lines.length} lines only`, 'Ask for fewer.');
  const wanted = lines.slice(fromLine - 1, toLine);
  const shown = lineNumbers ? wanted.map((line, index) => `${fromLine + index}| ${line}`) : wanted;
  const fitting = cutText(shown, budget);
  return {
    path,
    text: fitting.text,
    sha256: content.sha256,
    ...textFacts(file),
    fromLine,
    toLine: fromLine + fitting.lines - 1,
    totalLines: lines.length,
    cut: fitting.cut,
  };
}

/** The lines with their line ends; a last line may have none. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function showPart(part: Part): string {
  if (part.error !== undefined) return `== ${part.path}: not read. ${part.error}`;
  const notes = [
    `lines ${part.fromLine}-${part.toLine} of ${part.totalLines}`,
    `sha256 ${part.sha256?.slice(0, 12)}`,
    ...(part.encoding === 'utf-8' ? [] : [part.encoding]),
    ...(part.lineEnds === 'lf' ? [] : [`${part.lineEnds} line ends`]),
  ];
  const end = part.text === '' || part.text?.endsWith('\n') ? '' : '\n';
  const more = part.cut ? `(cut here: go on with fromLine ${(part.toLine ?? 0) + 1})\n` : '';
  return `== ${part.path} (${notes.join(', ')})\n${part.text}${end}${more}`;
}

function wrong(path: string, problem: string, hint: string): { failure: Failure } {
  const message = `${JSON.stringify(path)} cannot be shown: ${problem}.`;
  return { failure: { level: 'param', code: 'bad-argument', message, hint } };
}
