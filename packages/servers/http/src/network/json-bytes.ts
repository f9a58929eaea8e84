import { param } from '@capstan/tool-server';
import type { Refusal } from '@capstan/workspace';

/** A value as JSON; refused when it is nested too deeply to be written. */
export function jsonBytes(value: unknown): Buffer | Refusal {
  try {
    return Buffer.from(JSON.stringify(value));
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return param('Nothing was sent: the body is nested too deeply.', 'Send it as text, or in a flatter form.');
  }
}
