import { sizes } from '@capstan/contracts';
import { decodeLines, type OutputPage } from '@capstan/git-repository';

/** The most text that a reply shows; the rest of the inline limit is for headings, lists and notes. Bytes. */
export const shownBytes = sizes.inlineLimit - 8 * 1024;

/** Text that was cut at line ends, and where to go on. */
export interface TextPage {
  readonly text: string;
  readonly nextLine: number | undefined;
  readonly notes: readonly string[];
}

/** Lines that we wrote ourselves, from one number on, as many as fit (pure). */
export function pageLines(lines: readonly string[], fromLine: number): TextPage {
  let bytes = 0;
  let end = fromLine - 1;
  while (end < lines.length) {
    bytes += Buffer.byteLength(lines[end] ?? '') + 1;
    if (bytes > shownBytes && end > fromLine - 1) break;
    end += 1;
  }
  const text = lines.slice(fromLine - 1, end).join('\n');
  return { text, nextLine: end < lines.length ? end + 1 : undefined, notes: [] };
}

/** A part of git's output as text; says when contents were in another encoding or lines too long (pure). */
export function pageOutput(page: OutputPage): TextPage {
  const { lines, encodings } = decodeLines(page.lines);
  const notes = [
    ...encodings.map((name) => `Not all of it is UTF-8: the rest was read as ${name}.`),
    ...(page.longLines === 0 ? [] : [`${page.longLines} lines are longer than 4 KiB and were cut.`]),
  ];
  return { text: lines.join('\n'), nextLine: page.nextLine, notes };
}

/** The text of a reply: what it is about, the page, what was left out and how to go on. */
export function showPage(heading: string, page: TextPage, notes: readonly string[] = []): string {
  const more = page.nextLine === undefined ? [] : [`(cut here: go on with fromLine ${page.nextLine})`];
  const all = [...notes, ...page.notes].map((note) => `(${note})`);
  return [heading, page.text, ...all, ...more].filter((part) => part !== '').join('\n');
}
