import { foldSpace } from './loose-match.ts';

const shownLines = 12;
const shownColumns = 160;
/** Below this likeness a line is not worth showing. */
const likeEnough = 0.4;
/** Files longer than this are compared in their first lines only. */
const comparedLines = 20_000;

/** The part of a text most like the wanted one, with line numbers; undefined when nothing is like it. */
export function nearestText(text: string, wanted: string): string | undefined {
  const wantedLines = wanted.split('\n');
  const anchor = wantedLines.reduce(
    (best, line, index) => (line.trim().length > (wantedLines[best] ?? '').trim().length ? index : best),
    0,
  );
  const lines = text.split('\n');
  const found = mostLike(lines, wantedLines[anchor] ?? '');
  if (found === undefined) return undefined;
  const from = Math.max(0, found - anchor - 1);
  return lines
    .slice(from, from + Math.min(shownLines, wantedLines.length + 2))
    .map((line, index) => `${from + index + 1}| ${cut(line)}`)
    .join('\n');
}

function mostLike(lines: readonly string[], wanted: string): number | undefined {
  const pairs = pairsOf(wanted);
  let best: number | undefined;
  let bestLikeness = likeEnough;
  for (const [index, line] of lines.slice(0, comparedLines).entries()) {
    const likeness = compare(pairsOf(line), pairs);
    if (likeness > bestLikeness) [best, bestLikeness] = [index, likeness];
  }
  return best;
}

function pairsOf(line: string): ReadonlySet<string> {
  const folded = foldSpace(line.slice(0, 500)).toLowerCase();
  const pairs = new Set<string>();
  for (let index = 0; index + 2 <= folded.length; index += 1) pairs.add(folded.slice(index, index + 2));
  return pairs;
}

/** Dice's coefficient of two sets of letter pairs: 0 to 1. */
function compare(first: ReadonlySet<string>, second: ReadonlySet<string>): number {
  if (first.size === 0 || second.size === 0) return 0;
  let shared = 0;
  for (const pair of first) if (second.has(pair)) shared += 1;
  return (2 * shared) / (first.size + second.size);
}

function cut(line: string): string {
  return line.length > shownColumns ? `${line.slice(0, shownColumns)}...` : line;
}
