import { shortestSecret } from '@capstan/telemetry';
import type { HttpConfig } from './http-config.ts';
import { configProblem } from './load-config.ts';

/** Where values of secrets are looked up. */
export interface SecretSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The text of a file; undefined when it cannot be read. */
  readFile(path: string): Promise<string | undefined>;
}

/**
 * The values of all secrets by name. Throws `bad-config`, without the value, for one that is missing, that cannot stand
 * in a header, or that is too short to be found in answers: such a secret could not be kept from the model.
 */
export async function readSecrets(
  sources: SecretSources,
  secrets: HttpConfig['secrets'],
): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  for (const [name, source] of Object.entries(secrets)) {
    const from = 'env' in source ? `the variable ${source.env}` : `the file ${source.file}`;
    const text = 'env' in source ? sources.environment[source.env] : await sources.readFile(source.file);
    const value = text?.trim() ?? '';
    const problem = problemOf(value);
    if (problem !== undefined) throw configProblem(`secrets.${name}`, `${from} ${problem}`);
    values.set(name, value);
  }
  return values;
}

function problemOf(value: string): string | undefined {
  if (value === '') return 'is not there, or is empty';
  if (!/^[\x21-\x7e]+$/u.test(value)) return 'holds characters that cannot stand in a header';
  if (value.length < shortestSecret) return `holds fewer than ${shortestSecret} characters: they could not be redacted`;
  return undefined;
}
