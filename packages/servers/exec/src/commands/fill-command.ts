import { posix } from 'node:path';
import { type Command, type CommandParameter, placeholder } from '@capstan/contracts';
import { checkRelativePath, quote } from '@capstan/workspace';
import { z } from 'zod';

/** The most words that one list may give, and bytes of one word: far below what the kernel takes. */
const mostWords = 200;
const mostBytes = 16 * 1024;

/** Values for the parameters of a command, by name. */
export const CommandValues = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string()).max(mostWords)]),
);
export type CommandValues = z.infer<typeof CommandValues>;

/** The exact argument vector, or what is wrong with a value and what to give instead. */
export type FilledCommand = { readonly argv: readonly string[] } | { readonly problem: string; readonly hint: string };

/**
 * Puts values into the places of a command (requirement T10). The command's own words never change, a value never becomes
 * more than its word, and none begins with "-" unless its type says so. Pure.
 */
export function fillCommand(command: Command, values: CommandValues): FilledCommand {
  const unknown = Object.keys(values).find((name) => !command.parameters.some((known) => known.name === name));
  if (unknown !== undefined) return wrong(command, `has no parameter ${quote(unknown)}`);
  const words = new Map<string, readonly string[]>();
  for (const parameter of command.parameters) {
    const read = wordsOf(
      parameter,
      Object.hasOwn(values, parameter.name) ? values[parameter.name] : undefined,
      command,
    );
    if ('problem' in read) return wrong(command, `cannot take its parameter "${parameter.name}": ${read.problem}`);
    words.set(parameter.name, read.words);
  }
  const filled = command.argv.map((word) => expand(word, words));
  const argv = filled.flat();
  // Nothing stands behind the "--" that separates words of the caller.
  return { argv: filled.at(-1)?.length === 0 && argv.at(-1) === '--' ? argv.slice(0, -1) : argv };
}

/** What a command takes, for people and models: `file: path, arguments?: arguments...`. */
export function describeParameters({ parameters }: Command): string {
  return parameters
    .map((parameter) => `${parameter.name}${parameter.optional ? '?' : ''}: ${describeType(parameter)}`)
    .join(', ');
}

function describeType({ type, many, min, max, values = [], option = '' }: CommandParameter): string {
  const plain = { integer: `${min ?? ''}..${max ?? ''}`, choice: values.join('|'), flag: `true for ${option}` };
  const name = type === 'integer' || type === 'choice' || type === 'flag' ? plain[type] : type;
  return many ? `list of ${name}` : name;
}

function wrong(command: Command, problem: string): FilledCommand {
  const known = describeParameters(command);
  const hint = known === '' ? 'It takes none.' : `It takes ${known}.`;
  return { problem: `${command.id} ${problem}.`, hint };
}

type Read = { readonly words: readonly string[] } | { readonly problem: string };

function wordsOf(parameter: CommandParameter, value: CommandValues[string] | undefined, command: Command): Read {
  if (value === undefined) return parameter.optional ? { words: [] } : { problem: 'it is missing' };
  if (parameter.type === 'flag') {
    if (typeof value !== 'boolean') return { problem: 'it is true or false' };
    return { words: value && parameter.option !== undefined ? [parameter.option] : [] };
  }
  if (Array.isArray(value) !== parameter.many)
    return { problem: parameter.many ? 'it takes a list' : 'it takes one value' };
  const words: string[] = [];
  for (const one of Array.isArray(value) ? value : [value]) {
    const word = wordOf(parameter, one, command);
    if (typeof word !== 'string') return word;
    words.push(word);
  }
  return { words };
}

function wordOf(
  parameter: CommandParameter,
  value: string | number | boolean,
  { directory }: Command,
): string | { readonly problem: string } {
  if (parameter.type === 'integer') return integerWord(parameter, value);
  if (typeof value !== 'string') return { problem: 'it is a text' };
  const problem = textProblem(value);
  if (problem !== undefined) return { problem };
  if (parameter.type === 'arguments') return value;
  if (value.startsWith('-')) return optionLike(value);
  if (parameter.type === 'choice')
    return parameter.values?.includes(value) === true ? value : { problem: `${quote(value)} is none of its words` };
  if (parameter.type === 'text') return value;
  const checked = checkRelativePath(value);
  if (!('path' in checked)) return { problem: checked.failure.message.replace(/\.$/, '') };
  const path = posix.relative(directory, checked.path);
  if (path.startsWith('-')) return optionLike(path);
  return path === '' ? '.' : path;
}

function optionLike(value: string): { readonly problem: string } {
  return { problem: `${quote(value)} begins with "-" and would read as an option` };
}

function integerWord({ min, max }: CommandParameter, value: string | number | boolean): string | { problem: string } {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return { problem: 'it is a whole number' };
  const fits = value >= (min ?? value) && value <= (max ?? value);
  return fits ? String(value) : { problem: `${value} is not within ${min}..${max}` };
}

function textProblem(value: string): string | undefined {
  if (value.includes('\0')) return 'it contains a NUL character';
  if (!value.isWellFormed()) return 'it is not valid Unicode';
  return Buffer.byteLength(value) > mostBytes ? `it has more than ${mostBytes} bytes` : undefined;
}

/** A word that is one place gives as many words as it has; a place within a word that has none takes the word away. */
function expand(word: string, words: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const whole = /^\{(\w+)\}$/.exec(word)?.[1];
  const list = whole === undefined ? undefined : words.get(whole);
  if (list !== undefined) return list;
  let isMissing = false;
  const filled = word.replace(placeholder, (written, name: string) => {
    const given = words.get(name);
    if (given === undefined) return written;
    isMissing ||= given.length === 0;
    return given[0] ?? '';
  });
  return isMissing ? [] : [filled];
}
