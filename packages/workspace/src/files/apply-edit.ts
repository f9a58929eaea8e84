import { quote } from '../paths/check-relative-path.ts';
import { type Refusal, refuse } from '../paths/refusal.ts';
import { foldLineEnds, lineAt, lineEndAt } from './line-ends.ts';
import { findLooseMatches } from './loose-match.ts';
import { nearestText } from './nearest-text.ts';
import { encodeText, type TextFile } from './text-file.ts';

/** One replacement of text in a file. */
export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  /** 1-based line on which oldText starts: chooses one of several matches. */
  readonly line?: number | undefined;
  /** Replace all matches, and only if there are exactly so many. */
  readonly expectedCount?: number | undefined;
  /** Only matches that begin and end with lines count, as in a patch. */
  readonly wholeLines?: boolean;
}

export interface Edited {
  readonly bytes: Buffer;
  /** 1-based lines, before the edit, at which text was replaced. */
  readonly lines: readonly number[];
  /** Set when the match was not exact: what was done instead. */
  readonly note?: string;
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/**
 * Replaces text and keeps every byte outside of what changes: encoding, byte order mark and line ends stay. Matches
 * exactly (CRLF counts as LF), else with white space folded on whole lines, only where that is unique. Never guesses:
 * a miss, an ambiguous match or a character that the encoding lacks is a refusal that says what to do.
 */
export function applyEdit(file: TextFile, edit: Edit, path: string): Edited | Refusal {
  const folded = foldLineEnds(file.text);
  const oldText = foldLineEnds(edit.oldText).text;
  const newText = foldLineEnds(edit.newText).text;
  if (oldText === '' && file.text !== '') {
    return refuse(
      'bad-argument',
      `oldText is empty, but ${quote(path)} is not.`,
      'Give the text to replace; to add text, repeat a neighbouring line in oldText and newText.',
    );
  }
  const matches = findExact(folded.text, oldText, newText);
  const exact = edit.wholeLines === true ? matches.filter((span) => isWholeLines(folded.text, span)) : matches;
  const loose =
    exact.length === 0 && (edit.expectedCount ?? 1) === 1 ? findLooseMatches(folded.text, oldText, newText) : [];
  const found = exact.length === 0 ? loose : exact;
  if (found.length === 0) return miss(folded.text, edit, path);
  const chosen = choose(folded.text, found, edit, path);
  if ('failure' in chosen) return chosen;
  const bytes = splice(
    file,
    chosen.map((span) => narrow(folded.text, span)),
    folded.origin,
    path,
  );
  if ('failure' in bytes) return bytes;
  const lines = chosen.map((span) => lineAt(folded.text, span.start));
  if (exact.length > 0) return { bytes, lines };
  return {
    bytes,
    lines,
    note: `Line ${lines.join(', ')}: matched with white space folded; newText took the indentation of the file.`,
  };
}

/** All matches, overlapping ones too. */
function findExact(text: string, oldText: string, replacement: string): Span[] {
  if (oldText === '') return [{ start: 0, end: 0, replacement }];
  const spans: Span[] = [];
  for (let start = text.indexOf(oldText); start !== -1; start = text.indexOf(oldText, start + 1)) {
    spans.push({ start, end: start + oldText.length, replacement });
  }
  return spans;
}

function isWholeLines(text: string, { start, end }: Span): boolean {
  const begins = start === 0 || text[start - 1] === '\n';
  return begins && (end === text.length || text[end] === '\n' || text[end - 1] === '\n');
}

function choose(text: string, found: readonly Span[], edit: Edit, path: string): readonly Span[] | Refusal {
  const at = edit.line === undefined ? found : found.filter((span) => lineAt(text, span.start) === edit.line);
  const places = `line ${listLines(text, found)}`;
  if (at.length === 0) {
    return refuse(
      'no-match',
      `oldText does not start on line ${edit.line} of ${quote(path)}, but on ${places}.`,
      'Give one of these as line, or leave line out.',
    );
  }
  const overlapping = at.some((span, index) => span.start < (at[index - 1]?.end ?? 0));
  if (at.length !== (edit.expectedCount ?? 1) || overlapping) {
    return refuse(
      'ambiguous-match',
      `oldText matches ${found.length} times${overlapping ? ', overlapping,' : ''} in ${quote(path)}: on ${places}; expected ${edit.expectedCount ?? 1}. Nothing was changed.`,
      'Add neighbouring lines to oldText, give the line on which it starts, or give expectedCount to replace all.',
    );
  }
  return at;
}

function listLines(text: string, found: readonly Span[]): string {
  const shown = found.slice(0, 20).map((span) => lineAt(text, span.start));
  return `${shown.join(', ')}${found.length > 20 ? ', ...' : ''}`;
}

function miss(text: string, edit: Edit, path: string): Refusal {
  const nearest = nearestText(text, edit.oldText);
  const shown = nearest === undefined ? 'Nothing in it is like it.' : `The nearest text is:\n${nearest}\n`;
  return refuse(
    'no-match',
    `oldText does not occur in ${quote(path)}. ${shown}`,
    'Read the file again and copy oldText from it, without line numbers.',
  );
}

/** Leaves out what the old and the new text share at both ends, so that no shared byte is written anew. */
function narrow(text: string, { start, end, replacement }: Span): Span {
  const old = text.slice(start, end);
  const limit = Math.min(old.length, replacement.length);
  let head = 0;
  while (head < limit && old[head] === replacement[head]) head += 1;
  if (splitsPair(old, head) || splitsPair(replacement, head)) head -= 1;
  let tail = 0;
  while (tail < limit - head && old.at(-1 - tail) === replacement.at(-1 - tail)) tail += 1;
  if (splitsPair(old, old.length - tail) || splitsPair(replacement, replacement.length - tail)) tail -= 1;
  return { start: start + head, end: end - tail, replacement: replacement.slice(head, replacement.length - tail) };
}

function splitsPair(text: string, index: number): boolean {
  return index > 0 && index < text.length && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(index - 1, index + 1));
}

function splice(
  file: TextFile,
  spans: readonly Span[],
  origin: (index: number) => number,
  path: string,
): Buffer | Refusal {
  const parts: Buffer[] = [];
  let kept = 0;
  for (const span of spans) {
    const start = origin(span.start);
    const encoded = encodeText(span.replacement.replaceAll('\n', lineEndAt(file.text, start)), file.encoding);
    if ('unrepresentable' in encoded) return unrepresentable(encoded.unrepresentable, file, path);
    parts.push(file.bytes.subarray(kept, file.byteAt(start)), encoded);
    kept = file.byteAt(origin(span.end));
  }
  return Buffer.concat([...parts, file.bytes.subarray(kept)]);
}

/** The refusal for text that a file's encoding cannot hold. */
export function unrepresentable(character: string, file: Pick<TextFile, 'encoding'>, path: string): Refusal {
  return refuse(
    'not-representable',
    `${quote(path)} is encoded as ${file.encoding}, which has no ${JSON.stringify(character)}. Nothing was changed.`,
    'Use characters that the encoding has, or an escape of the language, e.g. "\\u20ac".',
  );
}
