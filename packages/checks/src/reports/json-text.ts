import { parseJson } from '@capstan/contracts';

/** The JSON values of a text with one a line; lines that are none (or were cut) are left out. */
export function jsonLines(text: string): unknown[] {
  return text.split('\n').flatMap((line) => (line.startsWith('{') ? asList(parseJson(line)) : []));
}

/** The JSON object in a text, though a runner printed lines around it; `undefined` if there is none. */
export function jsonObject(text: string): unknown {
  const whole = parseJson(text);
  if (whole !== undefined) return whole;
  for (let start = text.search(/^\{/m), tries = 0; start >= 0 && tries < 20; tries += 1) {
    const value = parseJson(text.slice(start, text.lastIndexOf('}') + 1));
    if (value !== undefined) return value;
    const next = text.slice(start + 1).search(/^\{/m);
    start = next < 0 ? -1 : start + 1 + next;
  }
  return undefined;
}

function asList(value: unknown): unknown[] {
  return value === undefined ? [] : [value];
}
