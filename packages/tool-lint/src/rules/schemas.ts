import { type Rule, toolRule } from '../rule.ts';
import { nameSome } from '../text/name-some.ts';
import { schemaParts } from '../text/tool-parameters.ts';

/** What a server's `tools/list` may weigh: every request to a model carries it. Bytes of JSON. */
const mostBytes = 15 * 1024;

export const schemaRules: readonly Rule[] = [
  toolRule('schema-object', ({ inputSchema }) =>
    inputSchema.type === 'object'
      ? undefined
      : {
          level: 'error',
          message: 'The input schema is not of type "object": hosts refuse it.',
          advice: 'Use {"type":"object","properties":{},"additionalProperties":false} for a tool without parameters.',
        },
  ),
  toolRule('schema-open', (tool) => {
    const open = openObjects(tool.inputSchema, schemaParts(tool).openObjects);
    if (open.length === 0) return undefined;
    return {
      level: 'warning',
      message: `Arguments that nobody described are taken: ${nameSome(open)}.`,
      advice: 'Set additionalProperties to false, so that a misspelt argument is an error and not ignored.',
    };
  }),
  toolRule('schema-output', ({ outputSchema }) =>
    outputSchema === undefined
      ? {
          level: 'warning',
          message: 'There is no output schema: programs cannot rely on the result.',
          advice: 'Return structuredContent and publish its outputSchema.',
        }
      : undefined,
  ),
  {
    id: 'schema-bytes',
    look: ({ tools }) => {
      const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
      const whole = bytes({ tools });
      if (whole <= mostBytes) return [];
      const largest = tools.toSorted((first, second) => bytes(second) - bytes(first)).slice(0, 3);
      return [
        {
          level: 'warning',
          message: `The list of tools has ${whole} bytes; ${mostBytes} are enough. The largest: ${largest.map((tool) => `${tool.name} (${bytes(tool)})`).join(', ')}.`,
          advice: 'Shorten descriptions and output schemas, merge tools, or split the server.',
        },
      ];
    },
  },
];

/** A tool without parameters that says nothing of `properties` takes anything as well. */
function openObjects(schema: Readonly<Record<string, unknown>>, open: readonly string[]): string[] {
  const named = open.map((path) => (path === '' ? 'the arguments themselves' : path));
  const isBare = !('properties' in schema) && schema.additionalProperties !== false;
  return isBare && named.length === 0 ? ['the arguments themselves'] : [...new Set(named)];
}
