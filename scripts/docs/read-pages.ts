import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexer, type Token, type TokensList, walkTokens } from 'marked';

/** A Markdown file of the repository, parsed. */
export interface Page {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly tokens: TokensList;
  readonly title: string;
  /** What a link can name after `#`: the ids of the headings. */
  readonly anchors: ReadonlySet<string>;
  /** Targets of links and pictures, as they are written. */
  readonly links: readonly string[];
  /** The text of each block marked as `sh`. */
  readonly shellBlocks: readonly string[];
  readonly tables: readonly Table[];
}

/** The cells of a table's rows, as they are written. */
type Table = readonly (readonly string[])[];

/** Recorded data and repositories that stand here as examples are no documents of ours. */
const foreign = /(^|\/)(examples|fixtures|golden)\//;

/** The Markdown pages among these files. */
export function readPages(root: string, files: readonly string[]): Page[] {
  return files
    .filter((path) => path.endsWith('.md') && !foreign.test(path))
    .map((path) => readPage(path, readFileSync(join(root, path), 'utf8')));
}

function readPage(path: string, text: string): Page {
  const tokens = lexer(text);
  const headings: string[] = [];
  const links: string[] = [];
  const shellBlocks: string[] = [];
  const tables: Table[] = [];
  const collect = (token: Token): void => {
    if (token.type === 'heading') headings.push(plainText(token));
    else if (token.type === 'link' || token.type === 'image') links.push(String(token.href));
    else if (token.type === 'code' && token.lang === 'sh') shellBlocks.push(String(token.text));
    else if (token.type === 'table') tables.push(rowsOf(token));
  };
  void walkTokens(tokens, collect);
  return { path, tokens, title: headings[0] ?? path, anchors: new Set(slugsOf(headings)), links, shellBlocks, tables };
}

function rowsOf(table: Token): Table {
  const rows = 'rows' in table ? (table.rows as readonly (readonly { readonly text: string }[])[]) : [];
  return rows.map((row) => row.map((cell) => cell.text));
}

/** What a token says without its marks. */
function plainText(token: Token): string {
  if ('tokens' in token && token.tokens !== undefined) return token.tokens.map(plainText).join('');
  return 'text' in token ? String(token.text) : '';
}

/** Ids as GitHub makes them: lower case, no punctuation, hyphens for spaces, numbers for what comes again. */
function slugsOf(headings: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return headings.map((heading) => {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}
