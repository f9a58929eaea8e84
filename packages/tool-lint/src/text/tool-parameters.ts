import type { WireTool } from '@capstan/contracts';

type Schema = Readonly<Record<string, unknown>>;

/** A parameter of a tool, at any depth. */
export interface Parameter {
  /** As people write it, e.g. `edits[].path`. */
  readonly path: string;
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** It belongs to the arguments themselves, not to an object in them. */
  readonly isTop: boolean;
}

/** The objects and parameters of an input schema. */
export interface SchemaParts {
  readonly parameters: readonly Parameter[];
  /** Paths of objects that take members that nobody described; '' is the arguments as a whole. */
  readonly openObjects: readonly string[];
}

/** Schemas come from outside: deeper or longer ones are looked at so far. */
const deepest = 8;
const mostSchemas = 5000;

/** Reads an input schema; references inside of it are followed, others are not. */
export function schemaParts(tool: WireTool): SchemaParts {
  const reader = new SchemaReader(tool.inputSchema);
  reader.read(tool.inputSchema, '', 0);
  return reader;
}

class SchemaReader implements SchemaParts {
  readonly parameters: Parameter[] = [];
  readonly openObjects: string[] = [];
  readonly #root: Schema;
  #schemas = 0;

  constructor(root: Schema) {
    this.#root = root;
  }

  read(given: unknown, path: string, depth: number): void {
    const schema = resolve(given, this.#root);
    this.#schemas += 1;
    if (schema === undefined || depth > deepest || this.#schemas > mostSchemas) return;
    for (const branch of branches(schema)) this.read(branch, path, depth + 1);
    if (schema.items !== undefined) this.read(schema.items, `${path}[]`, depth + 1);
    const properties = asSchema(schema.properties);
    if (properties === undefined) return;
    if (!isClosed(schema)) this.openObjects.push(path);
    const required = Array.isArray(schema.required) ? schema.required : [];
    for (const [name, member] of Object.entries(properties)) {
      const place = path === '' ? name : `${path}.${name}`;
      const own = resolve(member, this.#root) ?? {};
      this.parameters.push({ path: place, name, schema: own, isRequired: required.includes(name), isTop: path === '' });
      this.read(own, place, depth + 1);
    }
  }
}

/** `additionalProperties: {…}` describes what may come: only what is not described is open. */
function isClosed(schema: Schema): boolean {
  const { additionalProperties, unevaluatedProperties } = schema;
  return additionalProperties === false || unevaluatedProperties === false || isDescribed(additionalProperties);
}

function isDescribed(value: unknown): boolean {
  const schema = asSchema(value);
  return schema !== undefined && Object.keys(schema).length > 0;
}

function branches(schema: Schema): unknown[] {
  return [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list): unknown[] => (Array.isArray(list) ? list : []));
}

/** Follows `#/…` references, a few in a row; what stands beside the reference (a description) stays. */
function resolve(given: unknown, root: Schema): Schema | undefined {
  let schema = asSchema(given);
  for (let hops = 0; hops < deepest && typeof schema?.$ref === 'string'; hops += 1) {
    const { $ref: reference, ...beside } = schema;
    const target = asSchema(targetOf(String(reference), root));
    if (target === undefined) return beside;
    schema = { ...target, ...beside };
  }
  return schema;
}

function targetOf(reference: string, root: Schema): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let place: unknown = root;
  for (const key of reference.slice(2).split('/')) {
    place = asSchema(place)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return place;
}

function asSchema(value: unknown): Schema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : undefined;
}
