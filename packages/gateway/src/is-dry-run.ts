import type { CallState } from './stage.ts';

/** True for a call that only says what it would do, to a server whose word on that counts (requirement T9). */
export function isDryRun({ call, context, tool }: CallState): boolean {
  return tool?.dryRun === true && (context.dryRun === true || call.arguments.dryRun === true);
}
