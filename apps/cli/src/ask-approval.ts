import { saysYes } from './says-yes.ts';
import type { Terminal } from './terminal.ts';

type Ask = NonNullable<Terminal['ask']>;

/**
 * Shows what is to be decided, if it has not been shown yet, and asks for a yes or no: anything but a yes is a no. Undefined when nobody answered, because
 * input ended or the signal was aborted. The text is printable already.
 */
export async function askApproval(
  text: string,
  ask: Ask,
  signal?: AbortSignal,
): Promise<'approved' | 'denied' | undefined> {
  const answer = await ask(`${text === '' ? '' : `\n${text}\n`}Allow this one call? [y/N] `, signal);
  if (answer === undefined) return undefined;
  return saysYes(answer) ? 'approved' : 'denied';
}
