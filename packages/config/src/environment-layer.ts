import { type ConfigKey, configKeys } from './config-keys.ts';
import { judgeValue } from './judge-value.ts';
import type { KeyPath } from './key-path.ts';
import type { Layer, Setting } from './layer.ts';
import { nearestWord } from './nearest-word.ts';
import { badConfig, type Problem } from './problem.ts';

/** Variables of Capstan that are no keys: where things are, and what the tests use. */
const otherVariables = ['CAPSTAN_HOME', 'CAPSTAN_CONFIG', 'CAPSTAN_CWD', 'CAPSTAN_PROGRAM'];

/** What environment variables set; empty ones count as not set. Throws `bad-config`. */
export function environmentLayer(environment: Readonly<Record<string, string | undefined>>): Layer {
  const settings = new Map<KeyPath, Setting>();
  const problems = configKeys.flatMap((key): Problem[] => {
    const variable = key.variables.find((name) => (environment[name] ?? '') !== '');
    if (variable === undefined) return [];
    const judged = judgeValue(key, rawValue(key, environment[variable] ?? ''));
    if (judged.kind === 'wrong') {
      const hint = `Change the environment variable ${variable}, or unset it.`;
      return [{ place: `environment ${variable}`, message: judged.message, hint }];
    }
    settings.set(key.path, { value: judged.value, origin: { kind: 'environment', variable } });
    return [];
  });
  if (problems.length > 0) throw badConfig(problems);
  return settings;
}

/** Variables that look like keys and are none, so that a slip of the pen is not silently without effect. */
export function unknownVariables(
  environment: Readonly<Record<string, string | undefined>>,
): { readonly variable: string; readonly meant: string | undefined }[] {
  const known = [...otherVariables, ...configKeys.flatMap((key) => key.variables)];
  return Object.keys(environment)
    .filter((name) => name.startsWith('CAPSTAN_') && !known.includes(name) && !name.startsWith('CAPSTAN_TEST_'))
    .map((variable) => ({ variable, meant: nearestWord(variable, known) }));
}

/** Numbers are written as such, lists of words with commas, lists of commands one on each line. */
function rawValue({ tightening, fallback }: ConfigKey, text: string): unknown {
  if (tightening.kind === 'user-only' && Array.isArray(fallback)) {
    return text.split('\n').filter((line) => line.trim() !== '');
  }
  if (tightening.kind === 'union' || tightening.kind === 'intersection') {
    return text.split(',').map((entry) => entry.trim());
  }
  return typeof fallback === 'number' && text.trim() !== '' ? Number(text) : text;
}
