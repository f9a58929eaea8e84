import { createHmac } from 'node:crypto';
import { canonicalJson, type ToolCall } from '@capstan/contracts';

/** Keyed, so that short arguments cannot be guessed from the audit log (requirement G11). Hexadecimal. */
export function keyedDigest(key: Uint8Array, purpose: string, value: unknown): string {
  return createHmac('sha256', key).update(`${purpose}\n`).update(canonicalJson(value)).digest('hex');
}

/** What approvals, journal and audit know a call's content by: the tool's name and its arguments. */
export function argumentDigest(key: Uint8Array, call: Pick<ToolCall, 'name' | 'arguments'>): string {
  return keyedDigest(key, 'arguments', [call.name, call.arguments]);
}
