import { decodeText, type FileStamp, type Folder, foldLineEnds, readFileIn, sha256 } from '@capstan/workspace';
import { outlineLines } from '../outline/outline-lines.ts';
import type { IndexedFile } from '../store/index-store.ts';
import type { CountedTerms, WordCounter } from '../words/word-counter.ts';

/** Larger files are known by their path alone. Bytes. */
const largestIndexed = 2 * 1024 * 1024;
/** Of a long text, the beginning is indexed: the rest is data more often than code. UTF-16 units. */
const longestIndexed = 512 * 1024;
/** A word counts so often at most: what a file repeats for ever is not what it is about. */
const mostCounted = 4;
const mostMentions = 5_000;

/** The content of a file with its digest; undefined for a file that vanished, a link, or one that may not be read. */
export type FileReading =
  | { readonly bytes: Buffer; readonly stamp: FileStamp; readonly sha256: string }
  | 'too-large'
  | undefined;

export function readForIndex(folder: Folder, name: string): FileReading {
  const read = readFileIn(folder, name, largestIndexed);
  return read === undefined || read === 'too-large' ? read : { ...read, sha256: sha256(read.bytes) };
}

/** Makes what the index keeps of a file. Pure but for the counter's memory. */
export function readDocument(path: string, stamp: FileStamp, reading: FileReading, counter: WordCounter): IndexedFile {
  const pathWords = repeat(counter.count(path), 1);
  if (reading === undefined || reading === 'too-large') {
    return withoutContent(path, stamp, reading ?? 'unreadable', '', pathWords);
  }
  const decoded = decodeText(reading.bytes);
  if (decoded === undefined) return withoutContent(path, reading.stamp, 'binary', reading.sha256, pathWords);
  const text = foldLineEnds(decoded.text).text.slice(0, longestIndexed);
  const symbols = outlineLines(path, text) ?? [];
  const symbolWords = repeat(counter.count(symbols.map((symbol) => symbol.name).join(' ')), mostCounted);
  const body = counter.count(text);
  return {
    path,
    stamp: reading.stamp,
    sha256: reading.sha256,
    content: 'text',
    symbols,
    mentions: body.hashes.subarray(0, mostMentions),
    words: { path: pathWords, symbols: symbolWords, body: repeat(body, mostCounted) },
  };
}

function withoutContent(
  path: string,
  stamp: FileStamp,
  content: 'binary' | 'too-large' | 'unreadable',
  digest: string,
  pathWords: string,
): IndexedFile {
  const words = { path: pathWords, symbols: '', body: '' };
  return { path, stamp, sha256: digest, content, symbols: [], mentions: new Int32Array(), words };
}

/** The terms, each as often as it counts. */
function repeat({ terms, counts }: CountedTerms, most: number): string {
  const words: string[] = [];
  for (const [index, term] of terms.entries()) {
    for (let times = Math.min(counts[index] ?? 0, most); times > 0; times -= 1) words.push(term);
  }
  return words.join(' ');
}
