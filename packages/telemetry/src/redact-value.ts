import { redactionMark } from './redactor.ts';

const deepest = 64;

/**
 * A copy of a JSON value with every text in it redacted, names of members included. What lies deeper than 64 levels is
 * replaced as a whole. Numbers, booleans and null stay.
 */
export function redactValue<Value>(value: Value, redact: (text: string) => string): Value {
  return redactLevel(value, redact, deepest) as Value;
}

function redactLevel(value: unknown, redact: (text: string) => string, levels: number): unknown {
  if (typeof value === 'string') return redact(value);
  if (value === null || typeof value !== 'object') return value;
  if (levels === 0) return redactionMark;
  if (Array.isArray(value)) return value.map((item) => redactLevel(item, redact, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [redact(name), redactLevel(member, redact, levels - 1)]),
  );
}
