import type { WireTool } from '@capstan/contracts';
import type { LintedServer } from '../linted-server.ts';
import type { Found, Rule } from '../rule.ts';
import { mentionsTool } from '../text/mentions-tool.ts';
import { nameMeaning } from '../text/name-meaning.ts';
import { nameWords } from '../text/name-words.ts';
import { textWords } from '../text/text-words.ts';

/** Share of words that two descriptions have in common (Dice), from which on they read alike. */
const alike = 0.8;
/** Shorter descriptions have too few words to compare. */
const fewestWords = 4;

interface Candidate {
  readonly server: string;
  readonly tool: WireTool;
  readonly name: ReadonlySet<string>;
  readonly meaning: string;
  readonly words: ReadonlySet<string>;
}

/** Pairs of tools that a model can mix up (requirement T5), within a server and between the servers that come together. */
export const lookAlikeRules: readonly Rule[] = [
  {
    id: 'look-alike',
    look: (server, all) => {
      const candidates = all.flatMap(candidatesOf);
      return candidates.flatMap((first, at) => {
        // Each pair once: told at the first of the two.
        if (first.server !== server.name) return [];
        return candidates.slice(at + 1).flatMap((second) => compare(first, second) ?? []);
      });
    },
  },
];

function candidatesOf({ name: server, tools }: LintedServer): Candidate[] {
  return tools.map((tool) => ({
    server,
    tool,
    name: new Set(nameWords(tool.name)),
    meaning: nameMeaning(tool.name),
    words: new Set(textWords(tool.description ?? '')),
  }));
}

function compare(first: Candidate, second: Candidate): Found | undefined {
  const places = first.server === second.server ? second.tool.name : `${second.tool.name} of ${second.server}`;
  if (first.tool.name === second.tool.name) {
    if (first.server === second.server) return undefined; // name-twice says it.
    return found(
      first,
      'hint',
      `The same name as ${places}.`,
      'A model has the server as the only difference to go by.',
    );
  }
  if (areContrasted(first.tool, second.tool)) return undefined;
  if (first.meaning === second.meaning)
    return found(first, 'warning', `The name means the same as ${places}.`, contrastAdvice);
  if (readAlike(first, second))
    return found(first, 'warning', `The description reads like the one of ${places}.`, contrastAdvice);
  return undefined;
}

const contrastAdvice = 'Say in both what the other one is for, or make one tool of them.';

function found({ tool }: Candidate, level: Found['level'], message: string, advice: string): Found {
  return { level, tool: tool.name, message, advice };
}

/** One of the two names the other: the difference is told. */
function areContrasted(first: WireTool, second: WireTool): boolean {
  return mentionsTool(first.description ?? '', second.name) || mentionsTool(second.description ?? '', first.name);
}

/** The same words but for few, and the few are not those in which the names differ. */
function readAlike(first: Candidate, second: Candidate): boolean {
  const least = Math.min(first.words.size, second.words.size);
  const both = first.words.size + second.words.size;
  if (least < fewestWords || (2 * least) / both < alike) return false;
  let common = 0;
  for (const word of first.words) if (second.words.has(word)) common += 1;
  if ((2 * common) / both < alike) return false;
  return !tellsApart(first, second) && !tellsApart(second, first);
}

/** A word that one name has and the other has not stands in the one description, and not in the other. */
function tellsApart(first: Candidate, second: Candidate): boolean {
  return [...first.name].some((word) => {
    if (second.name.has(word)) return false;
    const stem = word.replace(/(?:es|s|ing|ed|e)$/, '');
    const has = ({ words }: Candidate) => [...words].some((other) => other === word || other.startsWith(stem));
    return has(first) && !has(second);
  });
}
