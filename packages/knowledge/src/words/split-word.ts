import { stem } from './stem.ts';

/** Kinds of letters inside an identifier. */
const separator = 0;
const digit = 1;
const capital = 2;
const small = 3;

/**
 * The index terms of a word: its parts, and the whole without separators where it has several, so that `getUserName`,
 * `get_user_name` and "user name" meet. Everything in small letters, parts without the endings of English.
 */
export function splitWord(word: string): string[] {
  if (/^[a-z0-9]*$/.test(word)) return [stem(word)];
  const lower = word.toLowerCase();
  // Some letters change their length (the Turkish dotted I): positions would not fit.
  const parts = lower.length === word.length ? cut(word, lower) : [lower];
  if (parts.length <= 1) return parts.map(stem);
  return [parts.join(''), ...parts.map(stem)];
}

function cut(word: string, lower: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let before = letterKind(word.charCodeAt(0));
  for (let index = 1; index <= word.length; index += 1) {
    const kind = index === word.length ? separator : letterKind(word.charCodeAt(index));
    const ends = kind === separator || (kind === capital && (before !== capital || isSmallAt(word, index + 1)));
    if (ends) {
      if (index > start && before !== separator) parts.push(lower.slice(start, index));
      start = kind === separator ? index + 1 : index;
    }
    before = kind;
  }
  return parts;
}

function isSmallAt(word: string, index: number): boolean {
  return index < word.length && letterKind(word.charCodeAt(index)) === small;
}

function letterKind(unit: number): number {
  if (unit === 0x5f) return separator;
  if (unit >= 0x30 && unit <= 0x39) return digit;
  return unit >= 0x41 && unit <= 0x5a ? capital : small;
}
