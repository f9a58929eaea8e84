import { shortestSecret } from './redactor.ts';

const secretWords =
  /(?:^|_)(?:API_?KEY|ACCESS_?KEY|KEY|KEYS|TOKEN|TOKENS|SECRET|SECRETS|PASSWORD|PASSWORDS|PASSWD|PASS|PASSPHRASE|CREDENTIAL|CREDENTIALS|AUTH|AUTHTOKEN|BEARER|COOKIE|PAT)(?:_|\d*$)|_PWD$/;
const passwordWords = /PASS|PWD/;
const placeWords = /(?:^|_)(?:FILE|PATH|DIR|SOCK|CREDENTIALS)$/;
const ordinaryValue = /^(?:\d+|true|false|always|never|default|disabled|enabled)$/i;

/**
 * Values that an environment holds under names of keys, tokens and passwords, and passwords inside URLs. Counts
 * (MAX_TOKENS), switches and paths of key files are left out, because redacting them would spoil ordinary text.
 */
export function secretsFromEnvironment(environment: Readonly<Record<string, string | undefined>>): string[] {
  const found = new Set<string>();
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    const words = name
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replace(/[^A-Za-z0-9]+/g, '_')
      .toUpperCase();
    if (isSecret(words, value)) found.add(value);
    for (const password of urlPasswords(value)) found.add(password);
  }
  return [...found].filter((secret) => secret.length >= shortestSecret);
}

function isSecret(words: string, value: string): boolean {
  if (!secretWords.test(words)) return false;
  if (placeWords.test(words) && /^[/~.]/.test(value)) return false;
  return passwordWords.test(words) || !ordinaryValue.test(value);
}

function urlPasswords(value: string): string[] {
  const raw = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:([^/\s@]+)@/i.exec(value)?.[1];
  if (raw === undefined) return [];
  return URL.canParse(value) ? [raw, decodeLoosely(raw)] : [raw];
}

function decodeLoosely(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (octets) =>
    Buffer.from(octets.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}
