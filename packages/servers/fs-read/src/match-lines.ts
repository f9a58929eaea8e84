import { isUtf8 } from 'node:buffer';
import { createContext, Script } from 'node:vm';
import { errorCode, wideEncoding } from '@capstan/workspace';

/** Longest time that a regular expression may take for one file. */
const fileMs = 250;
/** Longest time for the files of one batch, one after the other: nobody else gets a turn meanwhile. */
const batchMs = 1_000;

/** A text as its lines. */
export type Lines = readonly string[];

/** Finds lines, in many texts at once because setting up a time limit costs more than most files. */
export interface LineMatcher {
  /** False only if no line of a file with these bytes can match: then it need not be decoded. */
  mayMatch(bytes: Buffer): boolean;
  /** The indexes of the lines that match, for each text; or which text it takes too long for. */
  match(texts: readonly Lines[]): readonly (readonly number[])[] | { readonly tooSlow: number };
}

/** Matches text as it is. */
export function literalMatcher(pattern: string, ignoreCase: boolean): LineMatcher {
  const wanted = ignoreCase ? pattern.toLowerCase() : pattern;
  const matches = (line: string) => (ignoreCase ? line.toLowerCase() : line).includes(wanted);
  return {
    mayMatch: ignoreCase ? () => true : (bytes) => mayHold(bytes, pattern),
    match: (texts) => texts.map((lines) => lines.flatMap((line, index) => (matches(line) ? [index] : []))),
  };
}

/**
 * ASCII is itself in every encoding that we read but UTF-16; other characters are known by their bytes in UTF-8 only.
 * Half a character is for the lines to tell: Node ends the whole process when bytes are searched for one.
 */
function mayHold(bytes: Buffer, text: string): boolean {
  if (wideEncoding(bytes) !== undefined || !text.isWellFormed() || bytes.includes(text)) return true;
  return !/^[\0-\x7f]*$/.test(text) && !isUtf8(bytes);
}

/**
 * Matches by a JavaScript regular expression. It runs under a time limit that interrupts it from outside, because a few
 * characters of pattern are enough to keep a process busy for years. Gives a sentence for a pattern that is not valid.
 * `now` is a monotonic clock in milliseconds.
 */
export function regexMatcher(
  pattern: string,
  ignoreCase: boolean,
  now: () => number,
): LineMatcher | { readonly problem: string } {
  const regex = compile(pattern, ignoreCase ? 'i' : '');
  if (!(regex instanceof RegExp)) return regex;
  const matchAll = underLimit(regex);
  return {
    mayMatch: () => true,
    match: (texts) => {
      const together = matchAll(texts);
      if (together !== undefined) return together;
      const found: (readonly number[])[] = [];
      const end = now() + batchMs;
      for (const [index, lines] of texts.entries()) {
        const alone = now() < end ? matchAll([lines])?.[0] : undefined;
        if (alone === undefined) return { tooSlow: index };
        found.push(alone);
      }
      return found;
    },
  };
}

/** Runs the expression over texts; undefined when the time is up. */
function underLimit(regex: RegExp): (texts: readonly Lines[]) => number[][] | undefined {
  const context = createContext({ regex, texts: [] as readonly Lines[] });
  const script = new Script(`texts.map((lines) => {
    const found = [];
    for (let index = 0; index < lines.length; index += 1) if (regex.test(lines[index])) found.push(index);
    return found;
  })`);
  return (texts) => {
    context.texts = texts;
    try {
      return Array.from(script.runInContext(context, { timeout: fileMs }) as number[][], (found) => [...found]);
    } catch (error) {
      if (errorCode(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
      throw error;
    } finally {
      context.texts = [];
    }
  };
}

/** With Unicode rules where the pattern allows it: they refuse some escapes that people write. */
function compile(pattern: string, flags: string): RegExp | { readonly problem: string } {
  try {
    return new RegExp(pattern, `u${flags}`);
  } catch {
    try {
      return new RegExp(pattern, flags);
    } catch (error) {
      return { problem: error instanceof Error ? error.message : String(error) };
    }
  }
}
