import { resultText } from '@capstan/contracts';
import { readResult } from './read-result.ts';
import type { CallState } from './stage.ts';
import { sendCall } from './stages/execute.ts';

/** What the tool says that it would do, for the person who is asked; undefined where it has no dry run. */
export async function describeDryRun(state: CallState): Promise<string | undefined> {
  const { tool } = state;
  if (tool === undefined || !tool.dryRun) return undefined;
  const reply = await sendCall(state, tool, { dryRun: true });
  if (reply.kind !== 'answer') return `The dry run failed: ${reply.failure.message}`;
  return resultText(readResult(tool, reply.result));
}
