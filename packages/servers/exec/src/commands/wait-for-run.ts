import type { ToolContext, ToolReply } from '@capstan/tool-server';
import type { JobOrder } from '../jobs/job.ts';
import { progressSender } from '../progress-sender.ts';
import type { RunParts } from '../run-parts.ts';
import { commandFailures } from './command-failures.ts';
import { endedReply } from './run-reply.ts';

/** Runs to the end while the caller waits, sees its last lines as progress and may cancel it. */
export async function waitForRun({ jobs, clock }: RunParts, order: JobOrder, context: ToolContext): Promise<ToolReply> {
  const onLine = progressSender(context, clock, order.command);
  const job = await jobs.run({ ...order, onLine }, context.signal);
  return job === undefined ? commandFailures.cancelled() : endedReply(job);
}
