import { createHash } from 'node:crypto';
import { canonicalJson } from '@capstan/contracts';

/** sha256 over the canonical JSON of a value, in hex. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
