import { z } from 'zod';
import { Config } from './config.ts';
import type { KeyPath } from './key-path.ts';
import type { Value } from './tighten.ts';
import { type Tightening, tightening } from './tightening.ts';

/** One key with all that is known of it. */
export interface ConfigKey {
  readonly path: KeyPath;
  readonly schema: z.ZodType<Value>;
  readonly description: string;
  readonly fallback: Value;
  readonly tightening: Tightening;
  /** Environment variables that set it; the first one that is there counts. */
  readonly variables: readonly string[];
}

/** All keys, in the order of the schema. */
export const configKeys: readonly ConfigKey[] = keysOf(Config.shape, '');

/** Sections such as `budget`: keys that hold keys. */
export const sections: readonly string[] = [
  ...new Set(configKeys.filter(({ path }) => path.includes('.')).map(({ path }) => path.split('.')[0] ?? '')),
];

function keysOf(shape: Readonly<Record<string, z.ZodType>>, prefix: string): ConfigKey[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    if (schema instanceof z.ZodObject) return keysOf(schema.shape, `${prefix}${name}.`);
    const path = `${prefix}${name}`;
    return isKeyPath(path) ? [keyOf(path, schema as z.ZodType<Value>)] : [];
  });
}

function isKeyPath(path: string): path is KeyPath {
  return Object.hasOwn(tightening, path);
}

function keyOf(path: KeyPath, schema: z.ZodType<Value>): ConfigKey {
  return {
    path,
    schema,
    description: schema.description ?? '',
    fallback: schema.parse(undefined),
    tightening: tightening[path],
    variables: variablesOf(path),
  };
}

/** `model.keyVariable` is `CAPSTAN_MODEL_KEY_VARIABLE`; the model's address has the name that other tools use too. */
function variablesOf(path: KeyPath): string[] {
  const own = `CAPSTAN_${path
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('.', '_')
    .toUpperCase()}`;
  return path === 'model.url' ? [own, 'OPENAI_BASE_URL'] : [own];
}
