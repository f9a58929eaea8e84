import { literalPattern } from './literal-pattern.ts';
import type { QueryTerm } from './plan-query.ts';

/** A line of a file that shows why it was found. */
export interface FoundLine {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

const longestText = 512 * 1024;
const longestShown = 200;
/** Characters shown before the first word that was found, in a line that is too long. */
const before = 40;
const mostFound = 5_000;

/** The lines that hold most of what was asked, at most `limit`, in the order of the file. Long lines are cut around a word. */
export function bestLines(text: string, terms: readonly QueryTerm[], limit: number): FoundLine[] {
  const weights = new Map(terms.map(({ term, weight }) => [term, weight]));
  const scored = scoreLines(text.slice(0, longestText), weights);
  return scored
    .sort((first, second) => second.score - first.score || first.line - second.line)
    .slice(0, limit)
    .sort((first, second) => first.line - second.line)
    .map(({ line, start, at }) => ({ line, text: showLine(text, start, at) }));
}

interface ScoredLine {
  readonly line: number;
  /** Where it starts, and where the first word stands. */
  readonly start: number;
  readonly at: number;
  readonly words: Set<string>;
  score: number;
}

function scoreLines(text: string, weights: ReadonlyMap<string, number>): ScoredLine[] {
  const lines: ScoredLine[] = [];
  let [line, start, found] = [1, 0, 0];
  // Longest first: an alternative that is the beginning of another must not win.
  const alternatives = [...weights.keys()].sort((first, second) => second.length - first.length).map(literalPattern);
  for (const match of text.matchAll(new RegExp(alternatives.join('|'), 'giu'))) {
    found += 1;
    if (found > mostFound) break;
    for (let end = text.indexOf('\n', start); end !== -1 && end < match.index; end = text.indexOf('\n', start)) {
      line += 1;
      start = end + 1;
    }
    if (lines.at(-1)?.line !== line) lines.push({ line, start, at: match.index, words: new Set(), score: 0 });
    const current = lines.at(-1);
    const word = match[0].toLowerCase();
    if (current === undefined || current.words.has(word)) continue;
    current.words.add(word);
    current.score += weights.get(word) ?? 0;
  }
  return lines;
}

function showLine(text: string, start: number, at: number): string {
  const end = text.indexOf('\n', start);
  const line = text.slice(start, end === -1 ? undefined : end);
  if (line.length <= longestShown) return line.trim();
  const from = Math.max(0, at - start - before);
  const shown = line.slice(from, from + longestShown).trim();
  return `${from > 0 ? '...' : ''}${shown}...`.toWellFormed();
}
