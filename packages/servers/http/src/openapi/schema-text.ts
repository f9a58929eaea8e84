import type { Members } from './reading.ts';

const mostExample = 80;

const examplesByFormat: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'someone@example.com',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  uri: 'https://example.com/',
};

export interface ParameterText {
  /** What the document says. */
  readonly said: string;
  readonly schema: Members | undefined;
  readonly example?: unknown;
  /** The most of what is said that is taken over. Characters. */
  readonly most: number;
}

/** What a parameter is, in one line, with an example: that of the document, or one that its schema suggests. */
export function describeParameter({ said, schema, example, most }: ParameterText): string {
  const given = [
    example,
    schema?.example,
    firstOf(schema?.examples),
    schema?.default,
    firstOf(schema?.enum),
    schema?.const,
  ];
  const shown = JSON.stringify(given.find((value) => value !== undefined && value !== null) ?? suggest(schema));
  const fitting = shown.length <= mostExample ? shown : JSON.stringify(suggest(schema));
  const text = oneLine(said, most).replace(/[.。;,]+$/u, '');
  return text === '' ? `e.g. ${fitting}` : `${text}, e.g. ${fitting}`;
}

/** Text of a document on one line, without control characters, cut to so many characters. */
export function oneLine(text: string, most: number): string {
  const plain = text
    .slice(0, most * 20)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return plain.length <= most
    ? plain
    : `${plain
        .slice(0, most - 3)
        .toWellFormed()
        .replace(/\ufffd$/u, '')}...`;
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined;
}

function suggest(schema: Members | undefined): unknown {
  const [type] = [schema?.type].flat();
  if (type === 'integer' || type === 'number') return typeof schema?.minimum === 'number' ? schema.minimum : 1;
  if (type === 'boolean') return true;
  if (type === 'array') return ['text'];
  if (type === 'object' || schema?.properties !== undefined) return {};
  return examplesByFormat[String(schema?.format)] ?? 'text';
}
