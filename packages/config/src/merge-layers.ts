import { Config } from './config.ts';
import { type ConfigKey, configKeys } from './config-keys.ts';
import type { KeyPath } from './key-path.ts';
import type { Layer, Origin } from './layer.ts';
import { tighten, type Value } from './tighten.ts';

/** The layers, from the weakest to the strongest; a project's is different: it can only tighten what is below it. */
export interface Layers {
  readonly user: Layer;
  readonly project: Layer;
  readonly environment: Layer;
  readonly flags: Layer;
}

/** The value that counts for a key, and which sources made it. */
interface Effective {
  readonly value: Value;
  readonly origins: readonly Origin[];
  /** What the project's file asked for and did not get, because it is looser. */
  readonly ignored?: { readonly value: Value; readonly origin: Origin };
}

export interface MergedConfig {
  readonly config: Config;
  readonly keys: ReadonlyMap<KeyPath, Effective>;
}

/** Default, user, project, environment, flags: each over the one before, and the project's only where it is tighter. */
export function mergeLayers(layers: Layers): MergedConfig {
  const keys = new Map(configKeys.map((key) => [key.path, effective(key, layers)]));
  return { config: Config.parse(nest(keys)), keys };
}

function effective(key: ConfigKey, { user, project, environment, flags }: Layers): Effective {
  const last = flags.get(key.path) ?? environment.get(key.path);
  if (last !== undefined) return { value: last.value, origins: [last.origin] };
  const base = user.get(key.path) ?? { value: key.fallback, origin: { kind: 'default' as const } };
  const wanted = project.get(key.path);
  const below: Effective = { value: base.value, origins: [base.origin] };
  return wanted === undefined ? below : tightened(key, below, wanted);
}

function tightened(key: ConfigKey, below: Effective, wanted: { value: Value; origin: Origin }): Effective {
  const value = tighten(key.tightening, below.value, wanted.value);
  if (isSame(value, wanted.value))
    return { value, origins: isSame(value, below.value) ? below.origins : [wanted.origin] };
  if (isSame(value, below.value)) return { ...below, ignored: wanted };
  const origins = [...below.origins.filter(({ kind }) => kind !== 'default'), wanted.origin];
  const partly = key.tightening.kind === 'intersection' ? { ignored: wanted } : {};
  return { value, origins, ...partly };
}

/** Lists are sets: their order says nothing. */
function isSame(first: Value, second: Value): boolean {
  if (!Array.isArray(first) || !Array.isArray(second)) return first === second;
  const [one, other] = [new Set(first), new Set(second)];
  return one.size === other.size && [...one].every((entry) => other.has(entry));
}

function nest(keys: ReadonlyMap<KeyPath, Effective>): Record<string, unknown> {
  const nested: Record<string, Record<string, Value> | Value> = {};
  for (const [path, { value }] of keys) {
    const [section = '', name] = path.split('.');
    if (name === undefined) nested[section] = value;
    else nested[section] = { ...(Object(nested[section]) as Record<string, Value>), [name]: value };
  }
  return nested;
}
