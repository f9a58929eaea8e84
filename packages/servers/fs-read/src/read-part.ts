import type { Failure } from '@capstan/contracts';
import type { ReplyPart, ToolLink } from '@capstan/tool-server';
import {
  decodeText,
  type FileContent,
  foldLineEnds,
  readEndInside,
  readFileInside,
  type TextFile,
} from '@capstan/workspace';
import { z } from 'zod';
import { cutText } from './cut-text.ts';
import { imageType } from './media-type.ts';
import { uriOfPath } from './resources/file-uri.ts';
import { LineEnds, textFacts } from './text-facts.ts';

/** What is read of a file that is too large to be read whole. Bytes. */
const hugeWindow = 1024 * 1024;
const hugeHint = 'Ask for the first lines, or by a negative fromLine for the last ones.';

export const ReadRequest = z.strictObject({
  path: z.string().describe('Relative to the workspace, e.g. "src/sum.mjs"'),
  fromLine: z
    .number()
    .int()
    .refine((line) => line !== 0, 'lines are counted from 1, or from -1 at the end')
    .optional()
    .describe('First line wanted, e.g. 40; or -20 for the last 20'),
  toLine: z.number().int().min(1).optional().describe('Last line wanted, e.g. 80'),
});
export type ReadRequest = z.infer<typeof ReadRequest>;

/** What is said of one file that was asked for. */
export const ReadPart = z.strictObject({
  path: z.string(),
  text: z.string().optional().describe('Line ends are shown as LF, whatever the file has'),
  image: z.string().optional().describe('Media type; the image is in the content'),
  bytes: z.number().optional().describe('Of an image, or of a file over 16 MiB'),
  sha256: z.string().optional().describe('Of the whole file as it is on disk'),
  encoding: z.string().optional(),
  lineEnds: LineEnds.optional(),
  fromLine: z.number().optional(),
  toLine: z.number().optional(),
  totalLines: z.number().optional(),
  cut: z.boolean().optional().describe('True if less than asked for is shown'),
  error: z.string().optional(),
});
export type ReadPart = z.infer<typeof ReadPart>;

/** One file as it goes into a reply. */
export interface Shown {
  readonly part: ReadPart;
  readonly image?: ReplyPart;
  /** To what is there but cannot be shown here. */
  readonly link?: ToolLink;
}

export interface ShowOptions {
  /** The most that may be shown. Bytes. */
  readonly budget: number;
  readonly lineNumbers: boolean;
}

/** Reads one file, or some of its lines, as text; an image as such where it fits. */
export async function readPart(
  root: string,
  request: ReadRequest,
  options: ShowOptions,
): Promise<Shown | { readonly failure: Failure }> {
  const content = await readFileInside(root, request.path);
  if ('failure' in content) return content.failure.code === 'too-large' ? readHuge(root, request, options) : content;
  const mediaType = imageType(content.bytes);
  if (mediaType !== undefined) return showImage(request.path, content, mediaType, options.budget);
  const file = decodeText(content.bytes);
  if (file !== undefined) return showText(request, file, content.sha256, options);
  const part = { path: request.path, error: `The content is binary (${content.bytes.length} bytes).` };
  return { part, link: linkTo(request.path, content) };
}

function showImage(path: string, content: FileContent, image: string, budget: number): Shown {
  const { bytes, sha256 } = content;
  if (Math.ceil(bytes.length / 3) * 4 > budget) {
    const error = `The image (${image}, ${bytes.length} bytes) is too large to be shown beside the rest of this reply.`;
    return { part: { path, error }, link: { ...linkTo(path, content), mimeType: image } };
  }
  const part = { path, image, bytes: bytes.length, sha256 };
  return { part, image: { type: 'image', bytes, mimeType: image } };
}

function linkTo(path: string, { bytes }: FileContent): ToolLink {
  return { uri: uriOfPath(path), name: path, size: bytes.length };
}

/** Of a file over 16 MiB only the first or the last lines are read; without the whole there is no digest and no count. */
async function readHuge(
  root: string,
  request: ReadRequest,
  options: ShowOptions,
): Promise<Shown | { readonly failure: Failure }> {
  const { path, fromLine = 1 } = request;
  const isTail = fromLine < 0;
  const end = await readEndInside(root, path, isTail ? 'end' : 'start', hugeWindow);
  if ('failure' in end) return end;
  const lineEnd = isTail ? end.bytes.indexOf('\n') : end.bytes.lastIndexOf('\n');
  const whole = isTail ? end.bytes.subarray(lineEnd + 1) : end.bytes.subarray(0, lineEnd + 1);
  const file = lineEnd === -1 ? undefined : decodeText(whole);
  if (file === undefined)
    return wrong(path, `it has ${end.size} bytes and is no text with lines`, 'Work on a smaller file.');
  const shown = showText(request, file, undefined, options);
  if ('failure' in shown) return wrong(path, `only the ends of its ${end.size} bytes are read`, hugeHint);
  const { totalLines: _, ...part } = shown.part;
  if (!isTail) return { part: { ...part, bytes: end.size } };
  const { fromLine: __, toLine: ___, ...tail } = part;
  return { part: { ...tail, bytes: end.size } };
}

function showText(
  request: ReadRequest,
  file: TextFile,
  sha256: string | undefined,
  { budget, lineNumbers }: ShowOptions,
): Shown | { readonly failure: Failure } {
  const { path, fromLine: wantedLine = 1, toLine = Number.MAX_SAFE_INTEGER } = request;
  const lines = linesOf(foldLineEnds(file.text).text);
  const fromLine = wantedLine > 0 ? wantedLine : Math.max(1, lines.length + 1 + wantedLine);
  if (toLine < fromLine) return wrong(path, `toLine ${toLine} lies before line ${fromLine}`, 'Swap them.');
  if (fromLine > Math.max(1, lines.length)) return wrong(path, `it has ${lines.length} lines only`, 'Ask for fewer.');
  const wanted = lines.slice(fromLine - 1, toLine);
  const shown = lineNumbers ? wanted.map((line, index) => `${fromLine + index}| ${line}`) : wanted;
  const { text, lines: count, cut } = cutText(shown, budget);
  const range = { fromLine, toLine: fromLine + count - 1, totalLines: lines.length, cut };
  const digest = sha256 === undefined ? {} : { sha256 };
  return { part: { path, text, ...digest, ...textFacts(file), ...range } };
}

/** The lines with their line ends; a last line may have none. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** A part for people and models. */
export function describePart(part: ReadPart): string {
  if (part.error !== undefined) return `== ${part.path}: not read. ${part.error}`;
  const digest = part.sha256 === undefined ? [] : [`sha256 ${part.sha256.slice(0, 12)}`];
  if (part.image !== undefined) return `== ${part.path} (${[part.image, `${part.bytes} bytes`, ...digest].join(', ')})`;
  const notes = [
    describeRange(part),
    ...digest,
    ...(part.encoding === 'utf-8' ? [] : [part.encoding]),
    ...(part.lineEnds === 'lf' ? [] : [`${part.lineEnds} line ends`]),
  ];
  const end = part.text === '' || part.text?.endsWith('\n') ? '' : '\n';
  const next = part.toLine === undefined ? 'ask for fewer lines' : `go on with fromLine ${part.toLine + 1}`;
  const more = part.cut ? `(cut here: ${next})\n` : '';
  return `== ${part.path} (${notes.join(', ')})\n${part.text}${end}${more}`;
}

function describeRange({ fromLine, toLine, totalLines, bytes }: ReadPart): string {
  if (fromLine === undefined) return `last lines of ${bytes} bytes`;
  return `lines ${fromLine}-${toLine} of ${totalLines ?? `${bytes} bytes`}`;
}

function wrong(path: string, problem: string, hint: string): { failure: Failure } {
  const message = `${JSON.stringify(path)} cannot be shown: ${problem}.`;
  return { failure: { level: 'param', code: 'bad-argument', message, hint } };
}
