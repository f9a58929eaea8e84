import type { Tightening } from './tightening.ts';

/** What a key holds: checked against its schema before it gets here. */
export type Value = string | number | readonly string[] | undefined;

/**
 * The tighter of two values, or what is at least as tight as both. It is commutative, associative and idempotent up to
 * the order of lists, so that a project's file can never loosen what holds without it.
 */
export function tighten(rule: Tightening, current: Value, wanted: Value): Value {
  if (wanted === undefined) return current;
  if (current === undefined) return wanted;
  switch (rule.kind) {
    case 'order':
      return rule.values.indexOf(String(wanted)) > rule.values.indexOf(String(current)) ? wanted : current;
    case 'smaller':
      return Number(wanted) < Number(current) ? wanted : current;
    case 'union':
      return [...new Set([...listOf(current), ...listOf(wanted)])];
    case 'intersection':
      return listOf(current).filter((entry) => listOf(wanted).includes(entry));
    case 'user-only':
      return current;
  }
}

function listOf(value: Value): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : [];
}
