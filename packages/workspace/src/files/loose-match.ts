/** A place where whole lines equal the wanted ones but for white space, and what to put there. */
export interface LooseMatch {
  /** Positions in the LF text. */
  readonly start: number;
  readonly end: number;
  /** The new text in the file's own indentation. */
  readonly replacement: string;
}

/**
 * Finds the wanted lines with white space folded (runs are one blank, none at the ends of lines), on whole lines only.
 * The new text takes the indentation of the lines found; lines that it shares with the wanted text stay as the file has them.
 */
export function findLooseMatches(text: string, oldText: string, newText: string): LooseMatch[] {
  const closed = oldText.endsWith('\n');
  const wanted = (closed ? oldText.slice(0, -1) : oldText).split('\n');
  const folded = wanted.map(foldSpace);
  if (folded.every((line) => line === '')) return [];
  const lines = text.split('\n');
  const foldedLines = lines.map(foldSpace);
  const matches: LooseMatch[] = [];
  let start = 0;
  for (let index = 0; index + wanted.length <= lines.length; index += 1) {
    if (folded.every((line, offset) => line === foldedLines[index + offset])) {
      const found = lines.slice(index, index + wanted.length);
      const isLast = index + wanted.length === lines.length;
      const end = start + found.join('\n').length + (closed && !isLast ? 1 : 0);
      const wholeNew = closed && isLast && newText.endsWith('\n') ? newText.slice(0, -1) : newText;
      matches.push({ start, end, replacement: reindent(wholeNew, wanted, found) });
    }
    start += (lines[index]?.length ?? 0) + 1;
  }
  return matches;
}

/** White space folded away, so that lines can be compared. */
export function foldSpace(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}

function reindent(newText: string, wanted: readonly string[], found: readonly string[]): string {
  const lines = new Map<string, string>();
  const indents = new Map<string, string>();
  wanted.forEach((line, index) => {
    const own = found[index] ?? line;
    if (!lines.has(line)) lines.set(line, own);
    if (line.trim() !== '' && !indents.has(indentOf(line))) indents.set(indentOf(line), indentOf(own));
  });
  return newText
    .split('\n')
    .map((line) => lines.get(line) ?? moveIndent(line, indents))
    .join('\n');
}

/** Swaps the longest known indentation at the start of a line for the file's own. */
function moveIndent(line: string, indents: ReadonlyMap<string, string>): string {
  if (line.trim() === '') return line;
  const indent = indentOf(line);
  const known = [...indents.keys()].filter((key) => indent.startsWith(key)).sort((a, b) => b.length - a.length)[0];
  return known === undefined ? line : `${indents.get(known) ?? ''}${line.slice(known.length)}`;
}

function indentOf(line: string): string {
  return /^[^\S\n]*/.exec(line)?.[0] ?? '';
}
