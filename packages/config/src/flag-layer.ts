import { configKeys } from './config-keys.ts';
import { judgeValue } from './judge-value.ts';
import type { KeyPath } from './key-path.ts';
import type { Layer, Setting } from './layer.ts';
import { badConfig } from './problem.ts';
import type { Value } from './tighten.ts';

/** What the command line sets: each key with its flag; a value that was not given sets nothing. Throws `bad-config`. */
export function flagLayer(given: Partial<Record<KeyPath, { readonly flag: string; readonly value: Value }>>): Layer {
  const settings = new Map<KeyPath, Setting>();
  for (const key of configKeys) {
    const { flag, value } = given[key.path] ?? {};
    if (flag === undefined || value === undefined) continue;
    const judged = judgeValue(key, value);
    if (judged.kind === 'wrong') {
      throw badConfig([{ place: `flag ${flag}`, message: judged.message, hint: 'Give the flag another value.' }]);
    }
    settings.set(key.path, { value: judged.value, origin: { kind: 'flag', flag } });
  }
  return settings;
}
