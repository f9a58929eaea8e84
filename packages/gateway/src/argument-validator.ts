import type { JsonSchema } from '@capstan/contracts';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';

/** Checks arguments against a tool's own JSON Schema (requirement T4). */
export interface ArgumentValidator {
  /** Undefined when they fit, else a sentence that says what is wrong and what fits. */
  explain(schema: JsonSchema, input: Record<string, unknown>): string | undefined;
}

type Check = (input: unknown) => { readonly valid: boolean; readonly errorMessage?: string | undefined };

/** Compiled schemas are kept as long as their definition is. */
export function createArgumentValidator(): ArgumentValidator {
  const engine = new AjvJsonSchemaValidator();
  const compiled = new WeakMap<JsonSchema, Check>();
  const checkFor = (schema: JsonSchema): Check => {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const check: Check = engine.getValidator(schema);
    compiled.set(schema, check);
    return check;
  };
  return {
    explain(schema, input) {
      const verdict = checkFor(schema)(input);
      if (verdict.valid) return undefined;
      const said = verdict.errorMessage ?? 'they do not match the schema';
      const problems = said.replaceAll(/\bdata\//gu, '').replaceAll(/\bdata\b(?= must)/gu, 'they');
      return [`Wrong arguments: ${problems}.`, unknownNames(schema, input), parameters(schema)]
        .filter(Boolean)
        .join(' ');
    },
  };
}

function propertiesOf(schema: JsonSchema): Record<string, unknown> {
  return schema.properties !== null && typeof schema.properties === 'object' ? { ...schema.properties } : {};
}

function unknownNames(schema: JsonSchema, input: Record<string, unknown>): string {
  if (schema.additionalProperties !== false) return '';
  const known = Object.keys(propertiesOf(schema));
  const unknown = Object.keys(input).filter((name) => !known.includes(name));
  return unknown.length === 0 ? '' : `There is no parameter called ${unknown.map((name) => `"${name}"`).join(', ')}.`;
}

function parameters(schema: JsonSchema): string {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const described = Object.entries(propertiesOf(schema)).map(([name, property]) => {
    const type: unknown =
      property !== null && typeof property === 'object' && 'type' in property ? property.type : null;
    const kind = typeof type === 'string' ? `${type}, ` : '';
    return `${name} (${kind}${required.includes(name) ? 'required' : 'optional'})`;
  });
  return described.length === 0 ? 'The tool takes no parameters.' : `Parameters: ${described.join(', ')}.`;
}
