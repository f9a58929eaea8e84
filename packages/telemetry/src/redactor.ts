import { secretForms } from './secret-forms.ts';
import { secretShapes } from './secret-shapes.ts';

/** What stands in the place of a secret. Shorter than any secret, so that redaction always comes to an end. */
export const redactionMark = '***';

/** Shorter values are not looked for: they would be found in ordinary words. */
export const shortestSecret = 6;

type Range = readonly [start: number, end: number];

/**
 * Makes a function that replaces secrets in text: the given values (six characters or more; plain, JSON-escaped, base64,
 * URL-encoded, hexadecimal) and shapes of well-known credentials. Applying it twice gives what once gives.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const forms = formsOf(secrets);
  return (text) => redactRanges(text, (current) => [...formRanges(current, forms), ...shapeRanges(current)]);
}

/** As `createRedactor`, for the given values alone: other text that looks like a credential stays as it is. */
export function createValueRedactor(secrets: readonly string[]): (text: string) => string {
  const forms = formsOf(secrets);
  return (text) => redactRanges(text, (current) => formRanges(current, forms));
}

function formsOf(secrets: readonly string[]): string[] {
  const known = secrets.filter((secret) => secret.length >= shortestSecret).flatMap(secretForms);
  return [...new Set(known)].filter((form) => form.length >= shortestSecret);
}

function redactRanges(text: string, find: (current: string) => Range[]): string {
  let current = text;
  for (;;) {
    const ranges = merge(find(current));
    if (ranges.length === 0) return current;
    // A mark beside what was left can complete another secret: look again. Each round makes the text shorter.
    current = replaceRanges(current, ranges);
  }
}

function formRanges(text: string, forms: readonly string[]): Range[] {
  const ranges: Range[] = [];
  for (const form of forms) {
    // One step at a time, because a secret may overlap itself.
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) ranges.push([at, at + form.length]);
  }
  return ranges;
}

function shapeRanges(text: string): Range[] {
  return secretShapes.flatMap((shape) =>
    [...text.matchAll(shape)].flatMap((match): Range[] => {
      const range = match.indices?.[1] ?? match.indices?.[0];
      return range === undefined ? [] : [range];
    }),
  );
}

function merge(ranges: Range[]): Range[] {
  const merged: [number, number][] = [];
  for (const [start, end] of ranges.sort((first, second) => first[0] - second[0])) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

function replaceRanges(text: string, ranges: readonly Range[]): string {
  let result = '';
  let from = 0;
  for (const [start, end] of ranges) {
    result += text.slice(from, start) + redactionMark;
    from = end;
  }
  return result + text.slice(from);
}
