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
  const starts = startsOf(lines);
  return placesOf(lines.map(foldSpace), folded).map((index) => {
    const found = lines.slice(index, index + wanted.length);
    const isLast = index + wanted.length === lines.length;
    const start = starts[index] ?? 0;
    const end = start + found.join('\n').length + (closed && !isLast ? 1 : 0);
    const wholeNew = closed && isLast && newText.endsWith('\n') ? newText.slice(0, -1) : newText;
    return { start, end, replacement: reindent(wholeNew, wanted, found) };
  });
}

/** Where each line starts. */
function startsOf(lines: readonly string[]): number[] {
  let next = 0;
  return lines.map((line) => {
    const start = next;
    next += line.length + 1;
    return start;
  });
}

/** The indexes at which the wanted lines lie; searched as one text, which stays fast for repetitive files. */
function placesOf(lines: readonly string[], wanted: readonly string[]): number[] {
  const text = `\n${lines.join('\n')}\n`;
  const sought = `\n${wanted.join('\n')}\n`;
  const places: number[] = [];
  let index = 0;
  let counted = 0;
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1)) {
    for (counted = text.indexOf('\n', counted); counted < at; counted = text.indexOf('\n', counted + 1)) index += 1;
    places.push(index);
  }
  return places;
}

/** White space folded away, so that lines can be compared. */
export function foldSpace(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}

function reindent(newText: string, wanted: readonly string[], found: readonly string[]): string {
  const own = new Map(wanted.map((line, index) => [line, found[index] ?? line] as const).toReversed());
  const newLines = newText.split('\n');
  const shared = countShared(newLines, wanted);
  return newLines
    .map((line, index) => {
      const kept = own.get(line);
      if (kept !== undefined) return kept;
      const partner = Math.min(index, Math.max(shared, wanted.length - 1));
      return moveIndent(line, indentPairs(wanted, found, partner));
    })
    .join('\n');
}

function countShared(first: readonly string[], second: readonly string[]): number {
  let count = 0;
  while (count < first.length && count < second.length && first[count] === second[count]) count += 1;
  return count;
}

/** Which indentation of the wanted text is which in the file; where one stands for several, the nearest line decides. */
function indentPairs(wanted: readonly string[], found: readonly string[], near: number): Map<string, string> {
  const order = [...wanted.keys()].sort((first, second) => Math.abs(second - near) - Math.abs(first - near));
  const lines = order.filter((index) => wanted[index]?.trim() !== '');
  return new Map(lines.map((index) => [indentOf(wanted[index] ?? ''), indentOf(found[index] ?? '')]));
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
