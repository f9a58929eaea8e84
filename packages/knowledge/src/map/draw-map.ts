import { isTestPath } from '../search/path-kinds.ts';
import { rankNodes } from './rank-nodes.ts';
import { type GraphFile, isInner, type RankedSymbol, type ReferenceGraph } from './reference-graph.ts';

export interface MapRequest {
  /** Bytes of text at most. */
  readonly budget: number;
  /** Which files are shown. */
  readonly shows: (path: string) => boolean;
  /** Files that the map is about: what they refer to comes first. */
  readonly about: ReadonlySet<string>;
}

interface MappedFile {
  readonly path: string;
  readonly mentionedBy: number;
  readonly symbols: readonly { readonly line: number; readonly kind: string; readonly name: string }[];
}

export interface RepositoryMap {
  readonly text: string;
  readonly files: readonly MappedFile[];
  /** Files that have a place in the map but found no room. */
  readonly left: number;
}

/** Symbols of one file at most: a map shows many files before it shows much of one. */
const mostSymbols = 8;
/** Tests mention everything and are mentioned by chance. */
const testFactor = 0.2;

/** The files that others refer to most, with their most used symbols, as far as the budget goes. Deterministic. */
export function drawMap(graph: ReferenceGraph, { budget, shows, about }: MapRequest): RepositoryMap {
  const starts = about.size === 0 ? [] : graph.files.map(({ path }) => (about.has(path) ? 1 : 0));
  const ranks = rankNodes(graph.edges, starts).map((rank, index) => {
    return isTestPath(graph.files[index]?.path ?? '') ? rank * testFactor : rank;
  });
  const ordered = [...graph.files.entries()]
    .filter(([, file]) => shows(file.path))
    .sort(([first], [second]) => (ranks[second] ?? 0) - (ranks[first] ?? 0) || first - second)
    .map(([, file]) => mapFile(file));
  const parts: string[] = [];
  const files: MappedFile[] = [];
  let left = budget;
  for (const file of ordered) {
    const part = showFile(file);
    left -= Buffer.byteLength(part) + 1;
    if (left < 0) break;
    parts.push(part);
    files.push(file);
  }
  return { text: parts.join('\n'), files, left: ordered.length - files.length };
}

function mapFile({ path, mentionedBy, symbols }: GraphFile): MappedFile {
  const shown = [...new Map(symbols.toReversed().map((symbol) => [symbol.name, symbol])).values()]
    .filter(({ kind, depth }) => !isInner(kind, depth))
    .sort((first, second) => importance(second) - importance(first) || first.line - second.line)
    .slice(0, mostSymbols)
    .sort((first, second) => first.line - second.line);
  return { path, mentionedBy, symbols: shown.map(({ line, kind, name }) => ({ line, kind, name })) };
}

function importance({ mentionedBy, depth }: RankedSymbol): number {
  return (mentionedBy + 0.5) / (1 + depth);
}

function showFile({ path, mentionedBy, symbols }: MappedFile): string {
  const heading = mentionedBy === 0 ? path : `${path} (mentioned by ${mentionedBy})`;
  return [heading, ...symbols.map(({ line, kind, name }) => `  ${line}: ${kind} ${name}`)].join('\n');
}
