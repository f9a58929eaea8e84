import type { Command, CommandParameter } from './command.ts';

/** An error within the text of a command, as the rest of a sentence: "is no command: ...". */
interface Problem {
  readonly problem: string;
}

const outline = /^([a-z][a-z0-9-]{0,39})\s*=\s*(\S[\s\S]*)$/;
const longest = 1000;

/**
 * Reads a command that a person wrote on one line, with typed places for values:
 *
 *     seed = node scripts/seed.js --rows={rows:1..1000} {--quiet} {files?...:path}  # Fills the database
 *
 * Types: `text` (none given), `path`, `arguments`, a range of whole numbers, words to choose from (`dev|prod`); `{--word}`
 * is a flag. `?` may be left out, `...` takes a list. Gives what is wrong where it cannot be read.
 */
export function parseCommand(text: string): Command | Problem {
  const [, name = '', rest = ''] = outline.exec(text.trim()) ?? [];
  if (name === '') return problem('it does not read "name = program words"');
  if (text.length > longest) return problem(`it has more than ${longest} characters`);
  const split = splitWords(rest);
  if ('problem' in split) return split;
  const parameters = new Map<string, CommandParameter>();
  const argv: string[] = [];
  for (const word of split.words) {
    const read = readWord(word, parameters);
    if (typeof read !== 'string') return read;
    argv.push(read);
  }
  const [program] = argv;
  if (program === undefined || program.includes('{')) return problem('the program cannot be chosen by a parameter');
  if (program.startsWith('-')) return problem(`${JSON.stringify(program)} is no program`);
  return {
    id: `config:${name}`,
    kind: 'other',
    isCheck: false,
    ...(split.comment === '' ? {} : { description: split.comment }),
    argv,
    parameters: [...parameters.values()],
    directory: '.',
    source: 'configuration',
  };
}

function problem(what: string): Problem {
  return { problem: `is no command: ${what}` };
}

const token = /"([^"]*)"|'([^']*)'|(\S)/y;

/** Words as they are written, quotes taken off; what stands behind " # " is the description. */
function splitWords(text: string): { readonly words: readonly string[]; readonly comment: string } | Problem {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length; ) {
    if (word === undefined && text.startsWith('# ', at)) return { words, comment: text.slice(at + 2).trim() };
    token.lastIndex = at;
    const found = token.exec(text);
    if (found === null) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
      continue;
    }
    const [whole, double, single, plain] = found;
    if (plain === '"' || plain === "'") return problem('a quote is not closed');
    word = (word ?? '') + (double ?? single ?? plain ?? '');
    at += whole.length;
  }
  return { words: word === undefined ? words : [...words, word], comment: '' };
}

/** A word with its places in the short form of `argv`; what they take is added to the parameters. */
function readWord(word: string, parameters: Map<string, CommandParameter>): string | Problem {
  const isWhole = /^\{[^{}]*\}$/.test(word);
  let wrong: Problem | undefined;
  const read = word.replace(/\{([^{}]*)\}/g, (_, inner: string) => {
    const parameter = readPlace(inner);
    if ('problem' in parameter) wrong ??= parameter;
    else wrong ??= placeProblem(parameter, isWhole, parameters);
    if (wrong !== undefined || 'problem' in parameter) return '';
    parameters.set(parameter.name, parameter);
    return `{${parameter.name}}`;
  });
  if (wrong !== undefined) return wrong;
  return /[{}]/.test(read.replace(/\{[A-Za-z0-9]+\}/g, '')) ? problem(`a brace in "${word}" is not closed`) : read;
}

function placeProblem(
  { name, type, many }: CommandParameter,
  isWhole: boolean,
  known: ReadonlyMap<string, CommandParameter>,
): Problem | undefined {
  if (known.has(name)) return problem(`"${name}" stands in it twice`);
  if (!isWhole && (many || type === 'flag')) return problem(`{${name}} has to be a word of its own`);
  return undefined;
}

const place = /^([A-Za-z][A-Za-z0-9]*)(\?)?(\.\.\.)?(?::(.+))?$/;

function readPlace(inner: string): CommandParameter | Problem {
  if (inner.startsWith('-')) return readFlag(inner);
  const [, name, optional, many, type = 'text'] = place.exec(inner) ?? [];
  if (name === undefined) return problem(`"{${inner}}" is no place for a value, such as "{file:path}"`);
  const common = { name, optional: optional !== undefined, many: many !== undefined };
  if (type === 'text' || type === 'path') return { ...common, type };
  if (type === 'arguments') return { name, type, optional: true, many: true };
  const [, min, max] = /^(-?\d{1,15})\.\.(-?\d{1,15})$/.exec(type) ?? [];
  if (min !== undefined && Number(min) <= Number(max))
    return { ...common, type: 'integer', min: Number(min), max: Number(max) };
  const values = type.split('|');
  if (values.length > 1 && values.every((value) => /^[^-\s{}][^\s{}]*$/.test(value)))
    return { ...common, type: 'choice', values };
  return problem(`"${type}" is no type: text, path, arguments, a range as 1..9, or words as a|b`);
}

function readFlag(option: string): CommandParameter | Problem {
  if (!/^--?[A-Za-z0-9][\w.:=-]*$/.test(option)) return problem(`"${option}" is no flag`);
  const name = option
    .replace(/^-+/, '')
    .replace(/[^A-Za-z0-9]+(.)?/g, (_, letter: string | undefined) => (letter ?? '').toUpperCase());
  return /^[A-Za-z]/.test(name)
    ? { name, type: 'flag', optional: true, many: false, option }
    : problem(`"${option}" gives no name that begins with a letter`);
}
