import { parseJson } from '@capstan/contracts';

/**
 * Takes secrets out of a text. JSON is looked at once more as values, because it can write any letter as \u0061; if a
 * secret shows up there, the values are what is shown.
 */
export function hideSecrets(text: string, redact: (text: string) => string): string {
  const plain = redact(text);
  if (!text.includes('\\')) return plain;
  const value = parseJson(plain);
  if (value === undefined) return plain;
  const canonical = JSON.stringify(value);
  const clean = redact(canonical);
  return clean === canonical ? plain : clean;
}
