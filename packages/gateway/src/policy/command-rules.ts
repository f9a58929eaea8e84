import type { RuleBreak } from './path-rules.ts';

const vectorKeys = /^(argv|args|arguments|command|commands|cmd|exec|命令)$/iu;
const shells =
  /^(sh|bash|dash|zsh|fish|ksh|csh|tcsh|busybox|cmd|powershell|pwsh|env|xargs|sudo|su|doas|nohup|setsid|ssh|nsenter|chroot)(\.exe)?$/u;
const interpreters = /^(node|python[0-9.]*|perl|ruby|php|deno|bun|osascript|awk|gawk)(\.exe)?$/u;
const evaluates = /^(-[a-z]*[cerp]|--eval|--print|--command|--require|--import|eval)$/iu;

/** The first argument vector that would start a shell or run code given as text (requirement T10). */
export function findCommandBreak(input: unknown, key = '', depth = 0): RuleBreak | undefined {
  if (input === null || typeof input !== 'object' || depth > 20) return undefined;
  if (isVector(input)) return vectorKeys.test(key) && startsShell(input) ? shellBreak(input) : undefined;
  for (const [name, member] of Object.entries(input)) {
    const found = findCommandBreak(member, Array.isArray(input) ? key : name, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isVector(input: object): input is string[] {
  return Array.isArray(input) && input.every((item) => typeof item === 'string');
}

function startsShell(words: readonly string[]): boolean {
  const name = (words[0] ?? '').split(/[/\\]/u).at(-1)?.toLowerCase() ?? '';
  if (shells.test(name)) return words.length > 1;
  return interpreters.test(name) && words.slice(1).some((word) => evaluates.test(word));
}

function shellBreak(words: readonly string[]): RuleBreak {
  const shown = JSON.stringify(words.slice(0, 3));
  return { rule: 'command-shell', message: `${shown} starts a shell or runs code given as text.` };
}
