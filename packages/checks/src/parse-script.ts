/** One command of a package script. */
export interface ScriptCommand {
  readonly words: readonly string[];
  /** True if only a shell could run it as it stands: expansions, redirections, sub-shells. */
  readonly needsShell: boolean;
  /** What stands between it and the next command; `undefined` for the last. */
  readonly operator: string | undefined;
}

const OPERATORS = ['&&', '||', '|&', ';', '|', '&', '\n'] as const;
const SHELL_CHARACTERS = /[$`<>(){}!]/;

/**
 * Splits a package script into its commands as a POSIX shell would, without expanding anything. It never fails:
 * an open quote runs to the end.
 */
export function parseScript(script: string): ScriptCommand[] {
  const commands: ScriptCommand[] = [];
  let words: string[] = [];
  let needsShell = false;
  let word: string | undefined;
  const endWord = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  const endCommand = (operator: string | undefined): void => {
    endWord();
    if (words.length > 0) commands.push({ words, needsShell, operator });
    words = [];
    needsShell = false;
  };

  for (let at = 0; at < script.length; ) {
    const character = script.charAt(at);
    const operator = OPERATORS.find((candidate) => script.startsWith(candidate, at));
    if (operator !== undefined) {
      endCommand(operator);
      at += operator.length;
    } else if (/\s/.test(character)) {
      endWord();
      at += 1;
    } else if (character === "'" || character === '"') {
      const quoted = readQuoted(script, at);
      word = (word ?? '') + quoted.text;
      needsShell ||= quoted.expands;
      at = quoted.end;
    } else if (character === '\\') {
      word = (word ?? '') + script.charAt(at + 1);
      at += 2;
    } else {
      needsShell ||= SHELL_CHARACTERS.test(character);
      word = (word ?? '') + character;
      at += 1;
    }
  }
  endCommand(undefined);
  return commands;
}

function readQuoted(script: string, start: number): { text: string; end: number; expands: boolean } {
  const quote = script.charAt(start);
  let text = '';
  let expands = false;
  let at = start + 1;
  for (; at < script.length && script.charAt(at) !== quote; at += 1) {
    const character = script.charAt(at);
    const escaped = quote === '"' && character === '\\' && /["\\$`]/.test(script.charAt(at + 1));
    if (escaped) at += 1;
    else if (quote === '"' && /[$`]/.test(character)) expands = true;
    text += script.charAt(at);
  }
  return { text, end: at + 1, expands };
}
