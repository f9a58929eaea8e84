import type { JsonSchema } from '@capstan/contracts';

/** What the gateway enforces and explains when it is broken: a model pays for reading it in every request. */
const enforced: ReadonlySet<string> = new Set([
  'additionalProperties',
  'default',
  'maximum',
  'maxItems',
  'maxLength',
  'minimum',
  'minItems',
  'minLength',
  'pattern',
]);

/** An input schema as a model is shown it: names, types and descriptions, without limits. */
export function shownSchema(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !enforced.has(keyword))
      .map(([keyword, value]) => [keyword, keyword === 'properties' ? parameters(value) : within(value)]),
  );
}

/** Parameters can be called like keywords. */
function parameters(value: unknown): unknown {
  if (!isSchema(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, within(schema)]));
}

function within(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(within);
  return isSchema(value) ? shownSchema(value) : value;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
