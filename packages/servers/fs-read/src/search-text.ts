import { defineTool, param, type Tool } from '@capstan/tool-server';
import { checkRelativePath, compileGlob, type Refusal, readFileInside, walkFiles } from '@capstan/workspace';
import { z } from 'zod';
import { FileSearch, Match, showSearch } from './file-search.ts';
import { literalMatcher, regexMatcher } from './match-lines.ts';
import { parsePlace, showPlace } from './place.ts';

/** A search ends after this time and says where it goes on. */
const searchMs = 5_000;
const deepest = 64;

const description = `Searches the workspace's files line by line for exact text or a JavaScript regular expression. Use it to find where a name is defined or used. \
Leaves out what list_files leaves out, links, binary files and files over 2 MiB; ends after 5 seconds or 50 matches unless told. \
To find files by name use list_files; to read around a match read_files.`;

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
      path: z.string().default('.').describe('Folder or file to search in, e.g. "src"'),
      glob: z.string().min(1).max(500).optional().describe('Only in files that match, e.g. "*.ts" or "src/**/*.py"'),
      contextLines: z.number().int().min(0).max(5).default(0).describe('Lines to show around each match, e.g. 2'),
      limit: z.number().int().min(1).max(500).default(50).describe('Most matches to show, e.g. 100'),
      cursor: z.string().max(4100).optional().describe('Go on where a search ended, e.g. "src/a.ts:120"'),
    }),
    output: z.strictObject({
      matches: z.array(Match),
      filesSearched: z.number(),
      filesSkipped: z.number().describe('Binary, too large, or not to be opened'),
      complete: z.boolean().describe('False if the search ended early: there may be more matches'),
      nextCursor: z.string().optional(),
    }),
    handler: async (input, { signal }) => {
      const start = checkRelativePath(input.path);
      if ('failure' in start) return start;
      const from = input.cursor === undefined ? undefined : parsePlace(input.cursor, start.path);
      if (from !== undefined && 'failure' in from) return from;
      const matcher = matcherOf(input, now);
      if ('failure' in matcher) return matcher;
      const search = new FileSearch({ ...input, matcher, from, now });
      const inScope = input.glob === undefined ? () => true : compileGlob(input.glob);
      const end = now() + searchMs;
      let stoppedAt: string | undefined;
      const options = { depth: deepest, ignore: true, ...(from === undefined ? {} : { from: from.path }) };
      const walked = await walkFiles(root, start.path, options, async (entry) => {
        if (signal.aborted || now() > end) {
          stoppedAt = entry.path;
          return false;
        }
        return entry.kind !== 'file' || !inScope(entry.path) ? true : search.visit(entry);
      });
      const ended = isNoFolder(walked) ? await searchOne(root, start.path, search) : walked;
      if (ended !== undefined && 'failure' in ended) return ended;
      search.end(stoppedAt);
      if (search.tooSlow !== undefined) {
        return param(
          `The pattern takes too long on ${search.tooSlow}.`,
          'Use a simpler one without nested repetition such as (a+)+, or plain text.',
        );
      }
      const { matches, searched, skipped, next } = search;
      const counts = { filesSearched: searched, filesSkipped: skipped, complete: next === undefined };
      const nextCursor = next === undefined ? {} : { nextCursor: showPlace(next) };
      return { text: showSearch(search), structured: { matches, ...counts, ...nextCursor } };
    },
  });
}

function isNoFolder(walked: object | Refusal): boolean {
  return 'failure' in walked && walked.failure.code === 'not-a-folder';
}

/** Searches a file that was named itself: then a link inside, or one of up to 16 MiB, is meant. */
async function searchOne(root: string, path: string, search: FileSearch): Promise<Refusal | undefined> {
  const content = await readFileInside(root, path);
  if ('failure' in content) return content;
  search.take(path, content.bytes);
  return undefined;
}

interface Wanted {
  readonly pattern: string;
  readonly regex: boolean;
  readonly ignoreCase: boolean;
}

function matcherOf({ pattern, regex, ignoreCase }: Wanted, now: () => number) {
  if (!regex && pattern.includes('\n')) {
    return param(
      'The pattern has more than one line.',
      'Search for its most telling line; texts are searched line by line.',
    );
  }
  const matcher = regex ? regexMatcher(pattern, ignoreCase, now) : literalMatcher(pattern, ignoreCase);
  if (!('problem' in matcher)) return matcher;
  return param(
    `The pattern is not valid: ${matcher.problem}.`,
    'Correct it, or leave out regex to find it as plain text.',
  );
}
