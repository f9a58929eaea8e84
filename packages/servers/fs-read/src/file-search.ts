import { setImmediate as othersTurn } from 'node:timers/promises';
import { sizes } from '@capstan/contracts';
import { decodeText, type Entry, foldLineEnds, isBinary, readFileAtOnce } from '@capstan/workspace';
import { z } from 'zod';
import { cutLine } from './cut-text.ts';
import type { LineMatcher, Lines } from './match-lines.ts';
import { type Place, showPlace } from './place.ts';

/** Larger files are skipped and counted. Bytes. */
const largestSearched = 2 * 1024 * 1024;
/** Texts are matched together up to this length. UTF-16 units. */
const batchLength = 256 * 1024;
/** Other calls get their turn at least so often. Milliseconds. */
const turnMs = 20;
/** A line is shown up to this length. Bytes. */
const shownLine = 300;
/** Kept free for the closing notes. Bytes. */
const noteReserve = 2 * 1024;

export const Match = z.strictObject({
  path: z.string(),
  line: z.number(),
  text: z.string(),
  before: z.array(z.string()),
  after: z.array(z.string()),
});
export type Match = z.infer<typeof Match>;

export interface SearchOptions {
  readonly matcher: LineMatcher;
  /** Most matches. */
  readonly limit: number;
  readonly contextLines: number;
  /** Where to begin: lines before it are passed over in its file. */
  readonly from: Place | undefined;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
}

interface Candidate {
  readonly path: string;
  readonly lines: Lines;
}

/** One search: files go in by `visit`, in the order of the walk; matches come out in the same order. */
export class FileSearch {
  readonly matches: Match[] = [];
  searched = 0;
  skipped = 0;
  /** The file that a regular expression takes too long for. */
  tooSlow: string | undefined;
  /** The first place that was not looked at or not shown; undefined as long as there is none. */
  next: Place | undefined;
  readonly #options: SearchOptions;
  #waiting: Candidate[] = [];
  #waitingLength = 0;
  #left = sizes.inlineLimit - noteReserve;
  #turnEnd: number;

  constructor(options: SearchOptions) {
    this.#options = options;
    this.#turnEnd = options.now() + turnMs;
  }

  /** Reads one file of a walk; false when the search is over. */
  async visit(entry: Entry): Promise<boolean> {
    if (this.#options.now() > this.#turnEnd) {
      await othersTurn();
      this.#turnEnd = this.#options.now() + turnMs;
    }
    return this.take(entry.path, readFileAtOnce(entry.folder, entry.name, largestSearched));
  }

  /** Takes the content of one file, undefined for one that is passed over; false when the search is over. */
  take(path: string, bytes: Buffer | undefined): boolean {
    if (bytes === undefined || isBinary(bytes)) {
      this.skipped += 1;
      return true;
    }
    this.searched += 1;
    if (!this.#options.matcher.mayMatch(bytes)) return true;
    const text = foldLineEnds(decodeText(bytes)?.text ?? '').text;
    this.#waiting.push({ path, lines: text.split('\n') });
    this.#waitingLength += text.length;
    return this.#waitingLength < batchLength || this.#matchWaiting();
  }

  /** Ends the search; `stoppedAt` is the path of a file that was not visited any more. */
  end(stoppedAt: string | undefined): void {
    if (!this.#matchWaiting() || stoppedAt === undefined) return;
    this.next ??= { path: stoppedAt, line: 1 };
  }

  #matchWaiting(): boolean {
    const candidates = this.#waiting;
    this.#waiting = [];
    this.#waitingLength = 0;
    if (this.next !== undefined || this.tooSlow !== undefined) return false;
    const found = this.#options.matcher.match(candidates.map((candidate) => candidate.lines));
    if ('tooSlow' in found) {
      this.tooSlow = candidates[found.tooSlow]?.path;
      return false;
    }
    return candidates.every((candidate, index) =>
      (found[index] ?? []).every((line) => this.#isBefore(candidate.path, line + 1) || this.#add(candidate, line)),
    );
  }

  #isBefore(path: string, line: number): boolean {
    const { from } = this.#options;
    return from !== undefined && path === from.path && line < from.line;
  }

  /** Adds a match if there is room for it; else that is where the next search begins. */
  #add({ path, lines }: Candidate, index: number): boolean {
    const { contextLines, limit } = this.#options;
    const around = (from: number, to: number) =>
      lines.slice(Math.max(0, from), to).map((line) => cutLine(line, shownLine));
    const match: Match = {
      path,
      line: index + 1,
      text: cutLine(lines[index] ?? '', shownLine),
      before: around(index - contextLines, index),
      after: around(index + 1, index + 1 + contextLines),
    };
    this.#left -= Buffer.byteLength(showMatch(match)) + 1;
    if (this.matches.length >= limit || this.#left < 0) {
      this.next = { path, line: index + 1 };
      return false;
    }
    this.matches.push(match);
    return true;
  }
}

/** What a person or a model reads of a search. */
export function showSearch({ matches, searched, skipped, next }: FileSearch): string {
  const shown = matches.map(showMatch);
  const without = skipped === 0 ? '' : `; ${skipped} skipped`;
  shown.push(`(${matches.length} matches in ${searched} files searched${without})`);
  if (next !== undefined)
    shown.push(`(ended early: narrow it by path or glob, or go on with cursor ${showPlace(next)})`);
  return shown.join('\n');
}

function showMatch(match: Match): string {
  const line = (offset: number, text: string) => `${match.path}-${match.line + offset}- ${text}`;
  return [
    ...match.before.map((text, index) => line(index - match.before.length, text)),
    `${match.path}:${match.line}: ${match.text}`,
    ...match.after.map((text, index) => line(index + 1, text)),
  ].join('\n');
}
