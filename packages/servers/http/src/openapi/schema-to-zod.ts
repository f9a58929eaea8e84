import { z } from 'zod';
import { follow, type Members, membersOf, type Reading } from './reading.ts';
import { describeParameter } from './schema-text.ts';

/** How much of a schema is written out. */
export interface Detail {
  /** What lies deeper may be any JSON value. */
  readonly levels: number;
  /** The most of a description. Characters. */
  readonly words: number;
}

/** What is deeper than this, or refers to itself, may be any JSON value. */
interface Depth {
  readonly left: number;
  readonly words: number;
  readonly trail: ReadonlySet<string>;
  /** How many more parts are looked at: references can make a small document endless. */
  readonly parts: { left: number };
}

const mostParts = 2000;

/**
 * The check for values of a schema of the document, strict where the schema names its members. Formats and patterns are
 * not checked here: a hostile pattern could take for ever, and the API checks them itself.
 */
export function schemaToZod(schema: unknown, reading: Reading, { levels, words }: Detail): z.ZodType {
  return convert(schema, reading, { left: levels, words, trail: new Set(), parts: { left: mostParts } });
}

function convert(schema: unknown, reading: Reading, depth: Depth): z.ZodType {
  if (schema === false) return z.never();
  depth.parts.left -= 1;
  if (depth.parts.left < 0) return z.unknown();
  const { members, trail } = follow(schema, reading);
  if (members === undefined || depth.left === 0 || trail.some((one) => depth.trail.has(one))) return z.unknown();
  const deeper = { ...depth, left: depth.left - 1, trail: new Set([...depth.trail, ...trail]) };
  const whole = withParts(members, reading, deeper);
  const [types, nullable] = typesOf(whole);
  const check = checkOf(whole, types, reading, deeper);
  return nullable ? check.nullable() : check;
}

function checkOf(schema: Members, types: readonly string[], reading: Reading, depth: Depth): z.ZodType {
  const options = [schema.oneOf, schema.anyOf].find((list) => Array.isArray(list)) as unknown[] | undefined;
  if (options !== undefined && schema.properties === undefined)
    return anyOf(options.map((one) => convert(one, reading, depth)));
  if (Array.isArray(schema.enum)) return literalOf(schema.enum);
  if (schema.const !== undefined) return literalOf([schema.const]);
  if (types.length === 0) return z.unknown();
  return anyOf(types.map((type) => checkOfType(type, schema, reading, depth)));
}

function checkOfType(type: string, schema: Members, reading: Reading, depth: Depth): z.ZodType {
  if (type === 'object') return objectOf(schema, reading, depth);
  if (type === 'array') return arrayOf(schema, reading, depth);
  if (type === 'string') return bounded(z.string(), schema.minLength, schema.maxLength);
  if (type === 'integer' || type === 'number') return numberOf(type === 'integer' ? z.int() : z.number(), schema);
  if (type === 'boolean') return z.boolean();
  return type === 'null' ? z.null() : z.unknown();
}

function objectOf(schema: Members, reading: Reading, depth: Depth): z.ZodType {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const properties = Object.entries(membersOf(schema.properties) ?? {}).filter(([name]) => name !== '__proto__');
  const { additionalProperties: more } = schema;
  if (properties.length === 0)
    return z.record(z.string(), more === undefined ? z.unknown() : convert(more, reading, depth));
  const shape = properties.flatMap(([name, property]) => {
    const { members } = follow(property, reading);
    // What only the API sets is not asked for.
    if (members?.readOnly === true) return [];
    const said = typeof members?.description === 'string' ? members.description : '';
    const check = convert(property, reading, depth).describe(
      describeParameter({ said, schema: members, most: depth.words }),
    );
    return [[name, required.has(name) ? check : check.optional()] as const];
  });
  const strict = z.strictObject(Object.fromEntries(shape));
  if (more === undefined || more === false) return strict;
  return strict.catchall(more === true ? z.unknown() : convert(more, reading, depth));
}

function arrayOf(schema: Members, reading: Reading, depth: Depth): z.ZodType {
  return bounded(z.array(convert(schema.items ?? true, reading, depth)), schema.minItems, schema.maxItems);
}

function bounded<Check extends z.ZodString | z.ZodArray>(check: Check, least: unknown, most: unknown): Check {
  const over = isCount(least) ? check.min(least) : check;
  return (isCount(most) ? over.max(most) : over) as Check;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

/** In 3.0 `exclusiveMinimum` is a switch beside `minimum`, in 3.1 a bound of its own. */
function numberOf(start: z.ZodNumber, schema: Members): z.ZodNumber {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  let check = start;
  if (typeof minimum === 'number') check = above === true ? check.gt(minimum) : check.gte(minimum);
  if (typeof maximum === 'number') check = below === true ? check.lt(maximum) : check.lte(maximum);
  if (typeof above === 'number') check = check.gt(above);
  return typeof below === 'number' ? check.lt(below) : check;
}

function anyOf(checks: readonly z.ZodType[]): z.ZodType {
  const [first = z.unknown(), second, ...rest] = checks;
  return second === undefined ? first : z.union([first, second, ...rest]);
}

function literalOf(values: readonly unknown[]): z.ZodType {
  const plain = values.filter((value) => value === null || ['string', 'number', 'boolean'].includes(typeof value));
  return plain.length === values.length && plain.length > 0
    ? z.literal(plain as (string | number | boolean | null)[])
    : z.unknown();
}

/** The types that a schema names or shows by its members, and whether `null` is one of them. */
function typesOf(schema: Members): [types: string[], nullable: boolean] {
  const named = [schema.type].flat().filter((type) => typeof type === 'string');
  const shown = schema.properties !== undefined ? ['object'] : schema.items !== undefined ? ['array'] : [];
  const types = named.length > 0 ? named : shown;
  const others = types.filter((type) => type !== 'null');
  const isNullable = schema.nullable === true || (others.length > 0 && others.length < types.length);
  return [others.length > 0 ? others : types, isNullable];
}

/** `allOf` as one schema: members of all parts together. */
function withParts(schema: Members, reading: Reading, depth: Depth): Members {
  depth.parts.left -= 1;
  if (!Array.isArray(schema.allOf) || depth.left === 0 || depth.parts.left < 0) return schema;
  const { allOf, ...own } = schema as Members & { allOf: unknown[] };
  const deeper = { ...depth, left: depth.left - 1 };
  const parts = allOf.flatMap((part) => {
    const { members, trail } = follow(part, reading);
    return members === undefined || trail.some((one) => depth.trail.has(one))
      ? []
      : [withParts(members, reading, deeper)];
  });
  const all = [...parts, own];
  const required = all.flatMap((part) => (Array.isArray(part.required) ? (part.required as unknown[]) : []));
  const properties = Object.assign({}, ...all.map((part) => membersOf(part.properties) ?? {})) as Members;
  return {
    ...(Object.assign({}, ...all) as Members),
    ...(required.length === 0 ? {} : { required }),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  };
}
