/**
 * What can move a cursor, change a terminal or reorder what a person reads: control characters but for line ends and
 * tabs, and the bidirectional and invisible formatting characters of Unicode.
 */
const harmful = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** The same text with harmful characters spelled out, so that nothing that a tool or model wrote acts on the terminal. */
export function printable(text: string): string {
  return text.replaceAll(harmful, (character) => {
    if (character === '\n' || character === '\t') return character;
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** `printable` for every string in a JSON value. */
export function printableValue<Value>(value: Value): Value {
  if (typeof value === 'string') return printable(value) as Value;
  if (Array.isArray(value)) return value.map(printableValue) as Value;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [printable(key), printableValue(member)]),
  ) as Value;
}
