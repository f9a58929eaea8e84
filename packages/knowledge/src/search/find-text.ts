import {
  decodeText,
  type Entry,
  foldLineEnds,
  largestFile,
  type Refusal,
  readFileIn,
  walkFiles,
} from '@capstan/workspace';
import { comparePaths } from './compare-paths.ts';
import { literalPattern } from './literal-pattern.ts';

export interface TextQuery {
  readonly text: string;
  readonly ignoreCase: boolean;
  /** Only where no letter, digit or underscore stands beside it. */
  readonly wholeWord: boolean;
  /** Folder to start in, relative to the workspace. */
  readonly folder: string;
  readonly matches: (path: string) => boolean;
  /** Go on behind this place. */
  readonly after?: TextPlace;
  /** Most lines to find, and most bytes of their texts. */
  readonly limit: number;
  readonly bytes: number;
}

export interface TextPlace {
  readonly path: string;
  readonly line: number;
}

interface TextLine extends TextPlace {
  readonly text: string;
}

export interface TextPage {
  readonly lines: readonly TextLine[];
  readonly filesSearched: number;
  readonly filesSkipped: number;
  /** Where to go on; undefined when everything was searched. */
  readonly next?: TextPlace;
}

const longestShown = 300;
const deepest = 64;

/**
 * Every line with a text, in the order of names, read from the files themselves: what it says is never older than the call.
 * Ends at the limits or when `stop` says so, and tells where to go on; no line is left out or comes twice.
 */
export async function findText(root: string, query: TextQuery, stop: () => boolean): Promise<TextPage | Refusal> {
  const search = new Search(query, stop);
  const walked = await walkFiles(root, query.folder, { depth: deepest, ignore: true }, async (entry) => {
    return entry.kind !== 'file' || search.visit(entry);
  });
  return 'failure' in walked ? walked : search.page();
}

class Search {
  readonly #query: TextQuery;
  readonly #stop: () => boolean;
  readonly #pattern: RegExp;
  readonly #lines: TextLine[] = [];
  #searched = 0;
  #passed = 0;
  #skipped = 0;
  #left: number;
  #last: TextPlace | undefined;
  #ended = false;

  constructor(query: TextQuery, stop: () => boolean) {
    this.#query = query;
    this.#stop = stop;
    this.#left = query.bytes;
    this.#last = query.after;
    this.#pattern = patternOf(query);
  }

  /** Searches one file; false when the page is over. A page gets past one file at least, however soon it shall stop. */
  visit(entry: Entry): boolean {
    const from = this.#query.after;
    const order = from === undefined ? 1 : comparePaths(entry.path, from.path);
    if (order < 0) return true;
    if (this.#passed > 0 && this.#stop()) return this.#end();
    this.#passed += 1;
    if (this.#query.matches(entry.path) && !this.#search(entry, order === 0 && from !== undefined ? from.line : 0)) {
      return this.#end();
    }
    this.#last = { path: entry.path, line: Number.MAX_SAFE_INTEGER };
    return true;
  }

  page(): TextPage {
    const page = { lines: this.#lines, filesSearched: this.#searched, filesSkipped: this.#skipped };
    if (!this.#ended) return page;
    return { ...page, next: this.#last ?? { path: '', line: 0 } };
  }

  #end(): false {
    this.#ended = true;
    return false;
  }

  #search(entry: Entry, after: number): boolean {
    const text = readText(entry);
    if (text === undefined) {
      this.#skipped += 1;
      return true;
    }
    this.#searched += 1;
    return this.#searchIn(entry.path, text, after);
  }

  #searchIn(path: string, text: string, after: number): boolean {
    let [line, start] = [1, 0];
    this.#pattern.lastIndex = 0;
    for (let match = this.#pattern.exec(text); match !== null; match = this.#pattern.exec(text)) {
      for (let end = text.indexOf('\n', start); end !== -1 && end < match.index; end = text.indexOf('\n', start)) {
        line += 1;
        start = end + 1;
      }
      const end = text.indexOf('\n', match.index);
      if (
        line > after &&
        !this.#add({
          path,
          line,
          text: cutAround(text.slice(start, end === -1 ? undefined : end), match.index - start),
        })
      ) {
        return false;
      }
      if (end === -1) return true;
      // One place a line: a text of several lines may begin on the next one again.
      this.#pattern.lastIndex = end + 1;
    }
    return true;
  }

  #add(line: TextLine): boolean {
    this.#left -= Buffer.byteLength(line.path) + Buffer.byteLength(line.text) + 16;
    if (this.#lines.length >= this.#query.limit || (this.#left < 0 && this.#lines.length > 0)) return false;
    this.#lines.push(line);
    this.#last = { path: line.path, line: line.line };
    return true;
  }
}

function patternOf({ text, ignoreCase, wholeWord }: TextQuery): RegExp {
  const literal = literalPattern(foldLineEnds(text).text);
  const word = '[\\p{L}\\p{N}_]';
  return new RegExp(wholeWord ? `(?<!${word})${literal}(?!${word})` : literal, ignoreCase ? 'giu' : 'gu');
}

function readText(entry: Entry): string | undefined {
  const read = readFileIn(entry.folder, entry.name, largestFile);
  if (read === undefined || read === 'too-large') return undefined;
  const decoded = decodeText(read.bytes);
  return decoded === undefined ? undefined : foldLineEnds(decoded.text).text;
}

/** Of a line that is too long, what stands around the place. */
function cutAround(line: string, at: number): string {
  if (line.length <= longestShown) return line;
  const from = Math.max(0, at - 60);
  return `${from > 0 ? '...' : ''}${line.slice(from, from + longestShown)}...`.toWellFormed();
}
