const escapes = /\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|&#x([0-9a-f]{1,6});|&#(\d{1,7});|&(amp|lt|gt|quot|apos);|\\(\/)/giu;

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Takes secrets out of a text. JSON, scripts and pages can write any letter as its number: if a secret shows up when such
 * letters are read, what was read is shown.
 */
export function hideSecrets(text: string, redact: (text: string) => string): string {
  const plain = redact(text);
  const read = plain.replace(escapes, (whole, ...groups: (string | undefined)[]) => letterOf(groups) ?? whole);
  const clean = redact(read);
  return clean === read ? plain : clean;
}

function letterOf([unicode, byte, hexadecimal, decimal, name, slash]: (string | undefined)[]): string | undefined {
  if (slash !== undefined) return slash;
  if (name !== undefined) return named[name.toLowerCase()];
  const hex = unicode ?? byte ?? hexadecimal;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
