import type { Failure } from '@capstan/contracts';

/** What a path or file operation gives instead of its value when it must not or cannot be done; fits a tool's reply. */
export interface Refusal {
  readonly failure: Failure;
}

/** A refusal that the caller can answer by other arguments. */
export function refuse(code: string, message: string, hint: string): Refusal {
  return { failure: { level: 'param', code, message, hint } };
}

/** Tells a refusal from a value. */
export function isRefusal(value: object): value is Refusal {
  return 'failure' in value;
}
