import type { OutlineSymbol } from '../outline/outline-symbol.ts';
import { hashWord } from '../words/word-counter.ts';

/** What a file declares, with how often other files use it. */
export interface RankedSymbol extends OutlineSymbol {
  /** Files that mention the name. */
  readonly mentionedBy: number;
}

export interface GraphFile {
  readonly path: string;
  readonly symbols: readonly RankedSymbol[];
  /** Files that mention something that this one declares. */
  readonly mentionedBy: number;
}

/** Files, and who mentions whom: `edges[index]` has the weights of the files that `files[index]` mentions. */
export interface ReferenceGraph {
  readonly files: readonly GraphFile[];
  readonly edges: readonly ReadonlyMap<number, number>[];
}

export interface ReferenceSource {
  eachReference(visit: (path: string, symbols: OutlineSymbol[], mentions: Int32Array) => void): void;
}

/** A name that more files declare says nothing about which one is meant. */
const mostDeclarers = 4;
const shortestName = 4;
/** A short word of small letters ("next", "build", "test") is more often an ordinary word than a name that is meant. */
const telling = /[A-Z_\p{Lo}]|^.{9,}$/u;
const vagueFactor = 0.1;
/** What stands in documents and settings is no name that code refers to. */
const namelessKinds = new Set(['heading', 'section', 'target']);

interface Node {
  readonly path: string;
  readonly symbols: readonly OutlineSymbol[];
  readonly mentions: Int32Array;
}

/**
 * Links files by names: one that mentions what another declares refers to it. No language is understood for that; a name
 * that few files declare, and few mention, counts most.
 */
export function buildReferenceGraph(source: ReferenceSource): ReferenceGraph {
  const nodes: Node[] = [];
  source.eachReference((path, symbols, mentions) => nodes.push({ path, symbols, mentions }));
  const declarers = declarersOf(nodes);
  const vague = vagueNames(nodes);
  const mentioners = countMentions(nodes, declarers);
  const edges = nodes.map((node, index) => edgesOf(node, index, { declarers, mentioners, vague }));
  const mentionedBy = new Array<number>(nodes.length).fill(0);
  for (const targets of edges)
    for (const target of targets.keys()) mentionedBy[target] = (mentionedBy[target] ?? 0) + 1;
  const files = nodes.map((node, index) => ({
    path: node.path,
    symbols: node.symbols.map((symbol) => ({ ...symbol, mentionedBy: mentioners.get(hashWord(symbol.name)) ?? 0 })),
    mentionedBy: mentionedBy[index] ?? 0,
  }));
  return { files, edges };
}

/** A function inside another one is no concern of other files; a method is. */
export function isInner(kind: string, depth: number): boolean {
  return depth > 0 && kind === 'function';
}

/** Which files declare a name, by its hash. */
function declarersOf(nodes: readonly Node[]): Map<number, number[]> {
  const declarers = new Map<number, number[]>();
  for (const [index, { symbols }] of nodes.entries()) {
    for (const { name, kind, depth } of symbols) {
      if (name.length < shortestName || namelessKinds.has(kind) || isInner(kind, depth)) continue;
      const hash = hashWord(name);
      const known = declarers.get(hash);
      if (known === undefined) declarers.set(hash, [index]);
      else if (known.at(-1) !== index) known.push(index);
    }
  }
  for (const [hash, files] of declarers) if (files.length > mostDeclarers) declarers.delete(hash);
  return declarers;
}

/** How many files mention each name that is declared somewhere else. */
function countMentions(nodes: readonly Node[], declarers: ReadonlyMap<number, readonly number[]>): Map<number, number> {
  const counts = new Map<number, number>();
  for (const [index, { mentions }] of nodes.entries()) {
    for (const hash of mentions) {
      const files = declarers.get(hash);
      if (files !== undefined && !files.includes(index)) counts.set(hash, (counts.get(hash) ?? 0) + 1);
    }
  }
  return counts;
}

interface Names {
  readonly declarers: ReadonlyMap<number, readonly number[]>;
  readonly mentioners: ReadonlyMap<number, number>;
  readonly vague: ReadonlySet<number>;
}

function edgesOf({ mentions }: Node, index: number, { declarers, mentioners, vague }: Names): Map<number, number> {
  const targets = new Map<number, number>();
  for (const hash of mentions) {
    const files = declarers.get(hash);
    if (files === undefined || files.includes(index)) continue;
    const weight = (vague.has(hash) ? vagueFactor : 1) / (files.length * Math.sqrt(mentioners.get(hash) ?? 1));
    for (const file of files) targets.set(file, (targets.get(file) ?? 0) + weight);
  }
  return targets;
}

function vagueNames(nodes: readonly Node[]): Set<number> {
  const names = nodes.flatMap(({ symbols }) => symbols.map(({ name }) => name));
  return new Set(names.filter((name) => !telling.test(name)).map(hashWord));
}
