import type { Failure, JsonSchema } from '@capstan/contracts';
import type { z } from 'zod';

/** Longest list of problems that is shown: a model fixes the first ones first. */
const shownIssues = 5;

/** Turns a failed input check into a `param` failure that names each argument, what was wrong and what to do (T4). */
export function explainMismatch(tool: string, issues: readonly z.core.$ZodIssue[], schema: JsonSchema): Failure {
  const shown = issues.slice(0, shownIssues).map((issue) => `${pathOf(issue)}: ${issue.message}`);
  const more = issues.length > shownIssues ? ` (and ${issues.length - shownIssues} more)` : '';
  return {
    level: 'param',
    code: 'bad-argument',
    message: `${tool} cannot take these arguments. ${shown.join('; ')}${more}.`,
    hint: `${hintFor(issues, schema)} Then call ${tool} again.`,
  };
}

function pathOf(issue: z.core.$ZodIssue): string {
  if (issue.path.length === 0) return 'arguments';
  return issue.path.map((key, index) => (typeof key === 'number' ? `[${key}]` : dotted(String(key), index))).join('');
}

function dotted(key: string, index: number): string {
  return index === 0 ? key : `.${key}`;
}

function hintFor(issues: readonly z.core.$ZodIssue[], schema: JsonSchema): string {
  const first = issues[0];
  if (first === undefined) return 'Correct the arguments.';
  const place = schemaAt(schema, first.path);
  if (first.code === 'unrecognized_keys') {
    const known = Object.keys(propertiesOf(place));
    const names = first.keys.map((key) => `"${key}"`).join(', ');
    return `Leave out ${names}${known.length === 0 ? '' : `; known here: ${known.join(', ')}`}.`;
  }
  const description = place?.description;
  if (typeof description === 'string')
    return `${pathOf(first)} is: ${description}${/[.!?]$/.test(description) ? '' : '.'}`;
  return `Correct ${pathOf(first)}.`;
}

/** Follows a path of argument names and indexes down a JSON Schema; undefined where the schema says nothing. */
function schemaAt(schema: JsonSchema, path: readonly PropertyKey[]): JsonSchema | undefined {
  let place: JsonSchema | undefined = schema;
  for (const key of path) {
    if (place === undefined) return undefined;
    place = asSchema(typeof key === 'number' ? place.items : propertiesOf(place)[String(key)]);
  }
  return place;
}

function propertiesOf(schema: JsonSchema | undefined): JsonSchema {
  return asSchema(schema?.properties) ?? {};
}

function asSchema(value: unknown): JsonSchema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : undefined;
}
