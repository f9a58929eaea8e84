import { isAsciiWord, kindOf } from './character.ts';
import { splitWord } from './split-word.ts';
import { Tally } from './tally.ts';
import { WordTable } from './word-table.ts';

/** Longer words are hashes and encoded data: nobody searches them by words. UTF-16 units. */
const longestWord = 64;
/** Words known at once: beyond, the memory begins anew, which costs time alone. */
const mostWords = 400_000;

const isWordUnit = Uint8Array.from({ length: 128 }, (_, unit) => (isAsciiWord(unit) ? 1 : 0));

/** The index terms of a text. */
export interface CountedTerms {
  /** In the order of first use. */
  readonly terms: readonly string[];
  /** How often each one stands there. */
  readonly counts: readonly number[];
  /** One per different word of the text, as `hashWord` gives it: with capital and small letters apart. */
  readonly hashes: Int32Array;
}

/**
 * Counts the index terms of texts. Words are known between texts by two hashes, so that each different word is cut out and
 * split once: several times faster than regular expressions and a map of strings.
 */
export class WordCounter {
  #words: WordTable;
  /** By number of word: numbers of its terms, and its hash. */
  #termsOf: (readonly number[])[] = [];
  #hashes: number[] = [];
  readonly #terms: string[] = [];
  #termNumbers = new Map<string, number>();
  #units = new Uint16Array(1 << 16);
  readonly #wordTally = new Tally();
  readonly #termTally = new Tally();

  /** `slots` is a power of two: about twice the number of different words that are expected. */
  constructor(slots = 1 << 17) {
    this.#words = new WordTable(slots);
  }

  count(text: string): CountedTerms {
    if (this.#words.count > mostWords) this.#forget();
    this.#wordTally.begin();
    const units = this.#unitsOf(text);
    for (let at = 0; at < units.length; ) {
      const unit = units[at] ?? 0;
      if (unit < 0x80) at = isWordUnit[unit] === 1 ? this.#takeWord(units, at) : at + 1;
      else at = this.#takeOther(units, at);
    }
    return this.#result();
  }

  /** The text as an array, which is read several times faster than a string. */
  #unitsOf(text: string): Uint16Array {
    if (this.#units.length < text.length) this.#units = new Uint16Array(text.length * 2);
    Buffer.from(this.#units.buffer).write(text, 'utf16le');
    return this.#units.subarray(0, text.length);
  }

  #result(): CountedTerms {
    const { seen } = this.#wordTally;
    this.#termTally.begin();
    for (const word of seen) {
      const count = this.#wordTally.countOf(word);
      for (const term of this.#termsOf[word] ?? []) this.#termTally.add(term, count);
    }
    const terms = this.#termTally.seen;
    return {
      terms: terms.map((term) => this.#terms[term] ?? ''),
      counts: terms.map((term) => this.#termTally.countOf(term)),
      hashes: Int32Array.from(seen, (word) => this.#hashes[word] ?? 0),
    };
  }

  /** From a letter on: the position after the word. Written for speed: each character of each file comes by here. */
  #takeWord(units: Uint16Array, start: number): number {
    let at = start;
    let first = 0;
    let second = 0;
    for (; at < units.length; at += 1) {
      const unit = units[at] ?? 0;
      if (unit < 0x80 ? isWordUnit[unit] !== 1 : kindOf(unit) !== 'letter') break;
      first = Math.imul(first, 16777619) ^ unit;
      second = (Math.imul(second, 0x5bd1e995) + unit) | 0;
    }
    if (at - start >= 2 && at - start <= longestWord) this.#add(units, start, at, first, second | 1);
    return at;
  }

  #takeOther(units: Uint16Array, at: number): number {
    const kind = kindOf(units[at] ?? 0);
    if (kind === 'letter') return this.#takeWord(units, at);
    if (kind === 'other') return at + 1;
    let end = at + 1;
    while (end < units.length && kindOf(units[end] ?? 0) === 'ideograph') end += 1;
    for (let index = at; index < end; index += 1) this.#addPair(units, index, Math.min(end, index + 2));
    return end;
  }

  /** A pair of ideographs; the last one of a run stands alone, so that a prefix search finds each single one. */
  #addPair(units: Uint16Array, start: number, end: number): void {
    let first = 0;
    let second = 0;
    for (let at = start; at < end; at += 1) {
      first = Math.imul(first, 16777619) ^ (units[at] ?? 0);
      second = (Math.imul(second, 0x5bd1e995) + (units[at] ?? 0)) | 0;
    }
    this.#add(units, start, end, first, second | 1);
  }

  #add(units: Uint16Array, start: number, end: number, first: number, second: number): void {
    const known = this.#words.count;
    const word = this.#words.numberOf(first, second);
    if (word === known) {
      // Made from its units: a slice would keep the whole text in memory.
      const text = String.fromCharCode(...units.subarray(start, end));
      this.#termsOf.push(splitWord(text).map((term) => this.#termNumber(term)));
      this.#hashes.push(first);
    }
    this.#wordTally.add(word, 1);
  }

  #termNumber(term: string): number {
    const known = this.#termNumbers.get(term);
    if (known !== undefined) return known;
    const number = this.#terms.push(term) - 1;
    this.#termNumbers.set(term, number);
    return number;
  }

  #forget(): void {
    this.#words = new WordTable(1 << 17);
    this.#termsOf = [];
    this.#hashes = [];
    this.#terms.length = 0;
    this.#termNumbers = new Map();
  }
}

/** The hash that `WordCounter` gives for a word: names and their uses meet by it. */
export function hashWord(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash, 16777619) ^ word.charCodeAt(at);
  return hash;
}
