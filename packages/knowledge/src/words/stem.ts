/** Shorter words keep their endings: "bus", "ring", "red". */
const shortest = 5;

/**
 * A word of small letters without the commonest endings of English, so that "crashes" finds "crash" and "parsing" finds
 * "parse". A light one on purpose: identifiers are no sentences, and two different names must not become one.
 */
export function stem(word: string): string {
  if (word.length < shortest || !'sgde'.includes(word.slice(-1)) || !/^[a-z]+$/.test(word)) return word;
  return withoutSilentE(withoutEnding(word));
}

function withoutEnding(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  if (/[^siu]s$/.test(word)) return word.slice(0, -1);
  const verb = /^(.*[aeiouy].*?)(ing|ed)$/.exec(word)?.[1];
  if (verb === undefined || verb.length < 3) return word;
  return /([bdfgmnprt])\1$/.test(verb) ? verb.slice(0, -1) : verb;
}

/** "parse" and "pars(ing)" meet. */
function withoutSilentE(word: string): string {
  return word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word;
}
