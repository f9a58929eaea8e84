import type { JsonSchema } from '@capstan/contracts';
import type { SeededRandom } from '../mutants/seeded-random.ts';

/** How a call is meant: by the schema, by the schema but for one thing, or with what nobody should send. */
export type Mood = 'valid' | 'nearly-valid' | 'hostile';
export const moods: readonly Mood[] = ['valid', 'nearly-valid', 'hostile'];

const deepest = 6;
const longText = 'x'.repeat(100_000);

/** What finds careless code: other folders, other programs, other characters, other lengths. */
const hostileTexts: readonly string[] = [
  ...[
    '',
    '.',
    '..',
    '/',
    '../outside.txt',
    '../../../../etc/passwd',
    '/etc/passwd',
    '~/.ssh/id_rsa',
    '.env',
    'link/outside.txt',
    'link',
  ],
  ...[
    '.git/config',
    '.git/hooks/pre-commit',
    'C:\\Windows\\system.ini',
    'a//b/./c',
    'a\u0000b',
    'con',
    ' ',
    '\n',
    'name\nwith\nlines',
  ],
  ...[
    '-rf',
    '--upload-pack=touch x',
    '--output=/tmp/x',
    '-',
    '--',
    '$(id)',
    '`id`',
    '; rm -rf .',
    '| cat',
    '&& exit 1',
    '%00',
    '%2e%2e%2f',
  ],
  ...['__proto__', 'constructor', 'toString', '{}', '[]', 'null', 'true', '0', '-1', '1e999', 'NaN'],
  ...['文件.txt', '你好，世界', '\u202eabc', 'e\u0301', '👨‍👩‍👧', '\ud800', 'a\udc00b', '\ufeffx', '\u001b[31m', 'İ'],
  ...[
    '(a+)+$',
    '[',
    '(?<x',
    '**/*',
    '{a,b',
    '\\',
    '"',
    "'",
    '" OR 1=1 --',
    'NEAR(',
    'http://127.0.0.1:1/',
    'file:///etc/passwd',
  ],
  ...[
    'HEAD',
    'HEAD~999',
    '@{-1}',
    'refs/heads/../../x',
    ':(exclude)x',
    '0'.repeat(40),
    'x'.repeat(300),
    longText,
    '../'.repeat(2000),
  ],
];
const withPrototype: unknown = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}');
const hostileValues: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -0,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    -(2 ** 63),
    1e308,
    '',
    [],
    {},
    [[]],
    [null],
    { a: { b: null } },
  ],
  ...[withPrototype, Array.from({ length: 1000 }, () => 1)],
];

/** What arguments are made from. */
export interface ArgumentSource {
  readonly random: SeededRandom;
  /** Texts that lead somewhere, such as the address of a server. */
  readonly texts: readonly string[];
}

/** Arguments for a tool with this input schema; the same for the same source. */
export function callArguments(schema: JsonSchema, mood: Mood, from: ArgumentSource): unknown {
  if (mood === 'hostile') return hostileArguments(schema, from);
  const value = validValue(schema, from, 0);
  return mood === 'valid' ? value : spoilt(value, from);
}

/** A value that fits the schema, as far as its words are understood: examples of descriptions are used. */
function validValue(schema: JsonSchema, from: ArgumentSource, depth: number): unknown {
  const branches = [schema.anyOf, schema.oneOf].find(Array.isArray);
  if (branches !== undefined) return validValue(asSchema(from.random.pick(branches)), from, depth + 1);
  if (Array.isArray(schema.enum)) return from.random.pick(schema.enum);
  if ('const' in schema) return schema.const;
  switch (schema.type) {
    case 'object':
      return validObject(schema, from, depth);
    case 'array':
      return validList(schema, from, depth);
    case 'integer':
    case 'number':
      return validNumber(schema, from);
    case 'boolean':
      return from.random.below(2) === 0;
    default:
      return validText(schema, from);
  }
}

function validObject(schema: JsonSchema, from: ArgumentSource, depth: number): Record<string, unknown> {
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const wanted = Object.entries(asSchema(schema.properties)).filter(
    ([name]) => required.includes(name) || (depth < deepest && from.random.below(3) === 0),
  );
  return Object.fromEntries(wanted.map(([name, member]) => [name, validValue(asSchema(member), from, depth + 1)]));
}

function validList(schema: JsonSchema, from: ArgumentSource, depth: number): unknown[] {
  const least = numberOr(schema.minItems, 0);
  const length = Math.min(numberOr(schema.maxItems, 3), least + from.random.below(depth < deepest ? 3 : 1));
  return Array.from({ length }, () => validValue(asSchema(schema.items), from, depth + 1));
}

function validNumber(schema: JsonSchema, from: ArgumentSource): number {
  const least = numberOr(schema.minimum, 0);
  const most = numberOr(schema.maximum, least + 1000);
  return from.random.pick([least, Math.min(most, least + 1), Math.min(most, least + from.random.below(50))]);
}

function validText(schema: JsonSchema, from: ArgumentSource): string {
  const description = typeof schema.description === 'string' ? schema.description : '';
  const shown = [...description.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((found) => found[1] ?? '');
  const text = from.random.pick([
    ...shown,
    ...from.texts,
    'src/sum.mjs',
    'README.md',
    'src',
    'a',
    'return a - b;',
    '求和',
    'HEAD',
    'main',
    from.random.pick(hostileTexts),
  ]);
  return text.slice(0, numberOr(schema.maxLength, text.length));
}

/** One thing is wrong: missing, of another type, one too many. */
function spoilt(value: unknown, from: ArgumentSource): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return from.random.pick(hostileValues);
  const names = Object.keys(value);
  const name = names.length === 0 ? 'extra' : from.random.pick(names);
  switch (from.random.below(4)) {
    case 0:
      return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
    case 1:
      return { ...value, [name]: from.random.pick(hostileValues) };
    case 2:
      return {
        ...value,
        [from.random.pick(['extra', '__proto__x', 'dryRun ', '路径'])]: from.random.pick(hostileValues),
      };
    default:
      return { ...value, [name]: spoilt((value as Record<string, unknown>)[name], from) };
  }
}

/** Every parameter that is named gets something that nobody should send; now and then there are no arguments at all. */
function hostileArguments(schema: JsonSchema, from: ArgumentSource): unknown {
  if (from.random.below(20) === 0) return from.random.pick(hostileValues);
  const value = validObject(schema, from, 0);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hostileValue(member, from)]));
}

function hostileValue(value: unknown, from: ArgumentSource): unknown {
  if (typeof value === 'string') return from.random.pick(hostileTexts);
  if (Array.isArray(value) && from.random.below(4) > 0) return value.map((member) => hostileValue(member, from));
  if (typeof value === 'object' && value !== null && from.random.below(4) > 0)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hostileValue(member, from)]));
  return from.random.pick(hostileValues);
}

function asSchema(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : {};
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}
