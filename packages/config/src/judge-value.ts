import type { ConfigKey } from './config-keys.ts';
import { nearestWord } from './nearest-word.ts';
import type { Value } from './tighten.ts';

export type Judged =
  | { readonly kind: 'value'; readonly value: Value }
  /** `item` is the place in a list. */
  | { readonly kind: 'wrong'; readonly message: string; readonly item?: number };

/** Holds a raw value against the schema of its key, and says what is wrong in words. */
export function judgeValue({ path, schema, tightening }: ConfigKey, raw: unknown): Judged {
  if (raw === null) return { kind: 'wrong', message: `"${path}" has no value` };
  const parsed = schema.safeParse(raw);
  if (parsed.success) return { kind: 'value', value: parsed.data };
  const [issue] = parsed.error.issues;
  const [item] = issue?.path ?? [];
  const meant =
    tightening.kind === 'order' && typeof raw === 'string' ? nearestWord(raw, tightening.values) : undefined;
  const guess = meant === undefined ? '' : `; did you mean "${meant}"?`;
  const sentence = `${reason(issue?.message ?? '')}${guess}`;
  if (typeof item === 'number') return { kind: 'wrong', message: `an entry of "${path}" ${sentence}`, item };
  return { kind: 'wrong', message: `"${path}" ${sentence}` };
}

/** "Invalid input: expected number, received string" as the rest of a sentence; our own messages are one already. */
function reason(message: string): string {
  if (/^(is|has) /.test(message)) return message;
  const plain = message
    .replace(/^Invalid (input|option): /, '')
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    .replaceAll(/\barray\b/g, 'list')
    .replaceAll('"|"', '" or "');
  return `is not right: ${plain}`;
}
