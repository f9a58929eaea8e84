import { createContext, Script } from 'node:vm';
import { errorCode } from '@capstan/workspace';

/** Longest time that a regular expression may take for one file. */
const fileMs = 250;

/** Finds the lines that match, as indexes; 'too-slow' when a regular expression does not come to an end. */
export type LineMatcher = (lines: readonly string[]) => readonly number[] | 'too-slow';

/** Matches text as it is. */
export function literalMatcher(pattern: string, ignoreCase: boolean): LineMatcher {
  const wanted = ignoreCase ? pattern.toLowerCase() : pattern;
  return (lines) => indexesOf(lines, (line) => (ignoreCase ? line.toLowerCase() : line).includes(wanted));
}

/**
 * Matches by a JavaScript regular expression. It runs under a time limit that interrupts it from outside, because a few
 * characters of pattern are enough to keep a process busy for years. Gives a sentence for a pattern that is not valid.
 */
export function regexMatcher(pattern: string, ignoreCase: boolean): LineMatcher | { readonly problem: string } {
  const regex = compile(pattern, ignoreCase ? 'i' : '');
  if (!(regex instanceof RegExp)) return regex;
  const context = createContext({ regex, lines: [] as readonly string[] });
  const script = new Script('lines.flatMap((line, index) => (regex.test(line) ? [index] : []))');
  return (lines) => {
    context.lines = lines;
    try {
      return [...(script.runInContext(context, { timeout: fileMs }) as number[])];
    } catch (error) {
      if (errorCode(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'too-slow';
      throw error;
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

function indexesOf(lines: readonly string[], matches: (line: string) => boolean): number[] {
  return lines.flatMap((line, index) => (matches(line) ? [index] : []));
}
