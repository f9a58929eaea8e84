import { sizes } from '@capstan/contracts';
import { defineTool, param, type Tool } from '@capstan/tool-server';
import {
  checkRelativePath,
  compileGlob,
  decodeText,
  type Entry,
  foldLineEnds,
  openFileIn,
  readToEnd,
  walkFiles,
} from '@capstan/workspace';
import { z } from 'zod';
import { cutLine } from './cut-text.ts';
import { type LineMatcher, literalMatcher, regexMatcher } from './match-lines.ts';

/** Larger files are skipped and counted. Bytes. */
const largestSearched = 2 * 1024 * 1024;
/** A search ends after this time and says so. */
const searchMs = 5_000;
const shownLine = 300;
/** Kept free for the closing notes. Bytes. */
const noteReserve = 2 * 1024;

const Match = z.strictObject({
  path: z.string(),
  line: z.number(),
  text: z.string(),
  before: z.array(z.string()),
  after: z.array(z.string()),
});
type Match = z.infer<typeof Match>;

const description = `Searches the text of the workspace's files, line by line, for exact text or a JavaScript regular expression. Use it to find where a name is defined or used. \
Leaves out what list_files leaves out, links, binary files and files over 2 MiB; ends after 5 seconds or 50 matches unless told, and says so. \
To find files by name use list_files; to read around a match use read_files with fromLine.`;

/** The tool that searches text. `now` is a monotonic clock in milliseconds. */
export function searchTextTool(root: string, now: () => number): Tool {
  return defineTool({
    name: 'search_text',
    title: 'Search text',
    description,
    tier: 'read',
    idempotent: true,
    input: z.strictObject({
      pattern: z
        .string()
        .min(1)
        .max(1000)
        .describe('Text to find, e.g. "export function sum" or with regex "sum\\\\(.*\\\\)"'),
      regex: z.boolean().default(false).describe('Take pattern as a regular expression, e.g. true'),
      ignoreCase: z.boolean().default(false).describe('Capital and small letters are the same, e.g. true'),
      path: z.string().default('.').describe('Folder to search in, relative to the workspace, e.g. "src"'),
      glob: z.string().min(1).max(500).optional().describe('Only in files that match, e.g. "*.ts" or "src/**/*.py"'),
      contextLines: z.number().int().min(0).max(5).default(0).describe('Lines to show around each match, e.g. 2'),
      limit: z.number().int().min(1).max(500).default(50).describe('Most matches to show, e.g. 100'),
    }),
    output: z.strictObject({
      matches: z.array(Match),
      filesSearched: z.number(),
      filesSkipped: z.number().describe('Binary, too large, or not to be opened'),
      complete: z.boolean().describe('False if the search ended early: there may be more matches'),
    }),
    handler: async (input, { signal }) => {
      const start = checkRelativePath(input.path);
      if ('failure' in start) return start;
      const matcher = input.regex
        ? regexMatcher(input.pattern, input.ignoreCase)
        : literalMatcher(input.pattern, input.ignoreCase);
      if ('problem' in matcher)
        return param(
          `The pattern is not valid: ${matcher.problem}.`,
          'Correct it, or leave out regex to find it as plain text.',
        );
      const search = new Search(matcher, input.limit, input.contextLines);
      const inScope = input.glob === undefined ? () => true : compileGlob(input.glob);
      const end = now() + searchMs;
      const walked = await walkFiles(root, start.path, { depth: 64, ignore: true }, async (entry) => {
        if (signal.aborted || now() > end) return false;
        return entry.kind !== 'file' || !inScope(entry.path) ? true : search.visit(entry);
      });
      if ('failure' in walked) return walked;
      if (search.tooSlow !== undefined) {
        return param(
          `The pattern takes too long on ${search.tooSlow}.`,
          'Use a simpler one without nested repetition such as (a+)+, or plain text.',
        );
      }
      return { text: search.show(walked.complete), structured: search.result(walked.complete) };
    },
  });
}

/** Collects the matches of one call. */
class Search {
  tooSlow: string | undefined;
  readonly #matcher: LineMatcher;
  readonly #limit: number;
  readonly #context: number;
  readonly #matches: Match[] = [];
  #searched = 0;
  #skipped = 0;
  #left = sizes.inlineLimit - noteReserve;

  constructor(matcher: LineMatcher, limit: number, context: number) {
    this.#matcher = matcher;
    this.#limit = limit;
    this.#context = context;
  }

  /** Searches one file; false when the search is over. */
  async visit(entry: Entry): Promise<boolean> {
    const text = await readText(entry);
    if (text === undefined) {
      this.#skipped += 1;
      return true;
    }
    this.#searched += 1;
    const lines = text.split('\n');
    const found = this.#matcher(lines);
    if (found === 'too-slow') {
      this.tooSlow = entry.path;
      return false;
    }
    return found.every((index) => this.#add(entry.path, lines, index));
  }

  result(complete: boolean) {
    return { matches: this.#matches, filesSearched: this.#searched, filesSkipped: this.#skipped, complete };
  }

  show(complete: boolean): string {
    const shown = this.#matches.map(showMatch);
    const skipped = this.#skipped === 0 ? '' : `; ${this.#skipped} skipped`;
    shown.push(`(${this.#matches.length} matches in ${this.#searched} files searched${skipped})`);
    if (!complete) shown.push('(ended early: narrow it by path or glob, or raise limit)');
    return shown.join('\n');
  }

  #add(path: string, lines: readonly string[], index: number): boolean {
    const around = (from: number, to: number) =>
      lines.slice(Math.max(0, from), to).map((line) => cutLine(line, shownLine));
    const match: Match = {
      path,
      line: index + 1,
      text: cutLine(lines[index] ?? '', shownLine),
      before: around(index - this.#context, index),
      after: around(index + 1, index + 1 + this.#context),
    };
    this.#left -= Buffer.byteLength(showMatch(match)) + 1;
    if (this.#matches.length >= this.#limit || this.#left < 0) return false;
    this.#matches.push(match);
    return true;
  }
}

async function readText(entry: Entry): Promise<string | undefined> {
  const file = await openFileIn(entry.folder, entry.name, entry.path);
  if ('failure' in file) return undefined;
  const bytes = await readToEnd(file, largestSearched);
  const decoded = bytes === undefined ? undefined : decodeText(bytes);
  return decoded === undefined ? undefined : foldLineEnds(decoded.text).text;
}

function showMatch(match: Match): string {
  const line = (offset: number, text: string) => `${match.path}-${match.line + offset}- ${text}`;
  return [
    ...match.before.map((text, index) => line(index - match.before.length, text)),
    `${match.path}:${match.line}: ${match.text}`,
    ...match.after.map((text, index) => line(index + 1, text)),
  ].join('\n');
}
