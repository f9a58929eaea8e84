import { linePatternFor } from './line-patterns.ts';
import type { OutlineSymbol } from './outline-symbol.ts';

/** Of a longer file, the beginning is looked at. UTF-16 units. */
const longestText = 512 * 1024;
/** A file with more declarations is generated. */
const mostSymbols = 2_000;

interface Place {
  readonly at: number;
  readonly symbol: Omit<OutlineSymbol, 'line'>;
}

/**
 * What a file declares, told by how its lines begin: fast, and right for code that is laid out in the usual way. It does not
 * know strings and comments. Undefined for a kind of file that it has no pattern for.
 */
export function outlineLines(path: string, text: string): OutlineSymbol[] | undefined {
  const language = linePatternFor(path);
  if (language === undefined) return undefined;
  const start = text.slice(0, longestText);
  const looked = /\.(md|mdx|markdown)$/i.test(path) ? withoutFences(start) : start;
  const found: Place[] = [];
  for (const match of looked.matchAll(language.pattern)) {
    const { name = '', kind = language.kind, indent } = match.groups ?? {};
    found.push({ at: match.index, symbol: { name, kind, depth: depthOf(indent) } });
    if (found.length >= mostSymbols) break;
  }
  return withLines(looked, fromTop(found));
}

/** A document whose highest heading is of the second level has that one at its top. */
function fromTop(found: readonly Place[]): Place[] {
  const least = found.reduce((depth, { symbol }) => Math.min(depth, symbol.depth), Number.POSITIVE_INFINITY);
  return found.map(({ at, symbol }) => ({ at, symbol: { ...symbol, depth: symbol.depth - least } }));
}

/** Headings have their level, code its indentation: a tab, two or four spaces are a step each, as the file does it. */
function depthOf(indent: string | undefined): number {
  if (indent === undefined || indent === '') return 0;
  if (indent.startsWith('#')) return indent.length - 1;
  const columns = indent.replaceAll('\t', '    ').length;
  return Math.min(8, Math.ceil(columns / 4));
}

/** Lines of code blocks are emptied, so that a comment there is no heading. */
function withoutFences(text: string): string {
  return text.replace(/^( {0,3})(```+|~~~+)[^\n]*\n[\s\S]*?(?:^ {0,3}\2[^\n]*$|(?![\s\S]))/gm, (block) =>
    block.replace(/[^\n]/g, ''),
  );
}

function withLines(text: string, found: readonly Place[]): OutlineSymbol[] {
  let line = 1;
  let from = 0;
  return found.map(({ at, symbol }) => {
    for (let next = text.indexOf('\n', from); next !== -1 && next < at; next = text.indexOf('\n', from)) {
      line += 1;
      from = next + 1;
    }
    return { ...symbol, line };
  });
}
