import { nameWords } from './name-words.ts';

/** Verbs that models take for each other. */
const synonyms: readonly (readonly string[])[] = [
  ['get', 'fetch', 'read', 'retrieve', 'load'],
  ['list', 'ls', 'enumerate'],
  ['search', 'find', 'lookup'],
  ['create', 'make', 'new'],
  ['delete', 'remove', 'destroy', 'erase'],
  ['update', 'edit', 'modify', 'change'],
  ['run', 'execute', 'exec'],
];
const chosen = new Map(synonyms.flatMap((group) => group.map((word) => [word, group[0] ?? word] as const)));

/** A tool's name as a model understands it: words in any spelling and order, synonyms as one. */
export function nameMeaning(name: string): string {
  return nameWords(name)
    .map((word) => chosen.get(word) ?? word)
    .sort()
    .join(' ');
}
