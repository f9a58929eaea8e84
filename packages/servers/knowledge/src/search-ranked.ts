import { bestLines, type KnowledgeIndex, type OpenIndex, type OutlineSymbol, rankFiles } from '@capstan/knowledge';
import { defineTool, type Tool } from '@capstan/tool-server';
import { checkRelativePath, decodeText, foldLineEnds, readFileInside } from '@capstan/workspace';
import { z } from 'zod';
import { countFitting, textBytes } from './fitting-parts.ts';
import { inFolder } from './in-folder.ts';
import { IndexStateShown, shownState, stateLine } from './index-state.ts';
import { searchPatience } from './search-patience.ts';

const shownLines = 3;
const shownSymbols = 6;

const description = `Finds the files that fit a question best, by words, parts of names (user name finds getUserName), paths and structure; with an embeddings endpoint by meaning too. \
Use it when you do not know the exact words: an issue, a symptom, a feature, in English or Chinese. Shows the best lines of each file. \
It ranks and leaves out: for every place of a known word use find_text, for an overview repository_map.`;

const RankedFile = z.strictObject({
  path: z.string(),
  score: z.number().describe('Only comparable within one result'),
  lines: z.array(z.strictObject({ line: z.number(), text: z.string() })),
  symbols: z.array(z.string()).describe('What it declares of what was asked for'),
});
type RankedFile = z.infer<typeof RankedFile>;
type Terms = Parameters<typeof bestLines>[1];

/** The tool for ranked search. */
export function searchRankedTool(root: string, knowledge: KnowledgeIndex): Tool {
  return defineTool({
    name: 'search_ranked',
    title: 'Search by relevance',
    description,
    tier: 'read',
    idempotent: true,
    input: z.strictObject({
      query: z
        .string()
        .min(1)
        .max(20_000)
        .describe('What you look for, in your own words, e.g. "retries of failed uploads wait too long" or "登录失败"'),
      folder: z.string().default('.').describe('Only files in this folder, relative to the workspace, e.g. "src"'),
      glob: z.string().min(1).max(500).optional().describe('Only files that match, e.g. "*.py"'),
      limit: z.number().int().min(1).max(50).default(8).describe('Most files to show, e.g. 5'),
    }),
    output: z.strictObject({
      files: z.array(RankedFile),
      rankedBy: z.enum(['keywords', 'keywords and embeddings']),
      note: z.string().optional().describe('Why embeddings were not used, or how many files have them'),
      index: IndexStateShown,
    }),
    handler: async ({ query, folder, glob, limit }) => {
      const start = checkRelativePath(folder);
      if ('failure' in start) return start;
      const fits = inFolder(start.path, glob);
      return knowledge.use(searchPatience, async (index, state) => {
        const { hits, terms, by, note } = await rankFiles(index, query, fits);
        const found = await Promise.all(hits.slice(0, limit).map((hit) => describeFile(root, index, hit, terms)));
        const shown = found.map(showFile);
        const files = found.slice(0, countFitting(shown, textBytes));
        const noted = note === undefined ? {} : { note };
        return {
          text: [
            ...shown.slice(0, files.length),
            ...(found.length === 0 ? ['(no file fits: try other words, or find_text for a part of a word)'] : []),
            ...(files.length < found.length ? [`(${found.length - files.length} more files had no room)`] : []),
            `(ranked by ${by}${note === undefined ? '' : `. ${note}`})`,
            stateLine(state),
          ].join('\n'),
          structured: { files, rankedBy: by, ...noted, index: shownState(state) },
        };
      });
    },
  });
}

async function describeFile(
  root: string,
  { store }: OpenIndex,
  { path, score }: { readonly path: string; readonly score: number },
  terms: Terms,
): Promise<RankedFile> {
  const symbols = fittingSymbols(store.symbolsOf(path), terms);
  return { path, score: Number(score.toPrecision(4)), lines: await linesOf(root, path, terms), symbols };
}

/** Read now: a line is never older than the call, whatever the index says. */
async function linesOf(root: string, path: string, terms: Terms): Promise<RankedFile['lines']> {
  if (terms.length === 0) return [];
  const read = await readFileInside(root, path);
  const decoded = 'failure' in read ? undefined : decodeText(read.bytes);
  return decoded === undefined ? [] : bestLines(foldLineEnds(decoded.text).text, terms, shownLines);
}

function fittingSymbols(symbols: readonly OutlineSymbol[], terms: Terms): string[] {
  const wanted = terms.map(({ term }) => term).filter((term) => term.length > 2);
  const isWanted = ({ name }: OutlineSymbol) => {
    const lower = name.toLowerCase().replaceAll('_', '');
    return wanted.some((term) => lower.includes(term));
  };
  const fitting = symbols.filter(isWanted).slice(0, shownSymbols);
  return fitting.map(({ kind, name, line }) => `${kind} ${name} (line ${line})`);
}

function showFile({ path, lines, symbols }: RankedFile, index: number): string {
  return [
    `${index + 1}. ${path}${symbols.length === 0 ? '' : `  [${symbols.join(', ')}]`}`,
    ...lines.map(({ line, text }) => `   ${line}: ${text}`),
  ].join('\n');
}
