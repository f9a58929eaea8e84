import { sizes } from '@capstan/contracts';
import type { ToolReply } from '@capstan/tool-server';
import { z } from 'zod';
import { type Job, JobState } from '../jobs/job.ts';
import { keptBytes } from '../jobs/job-output.ts';
import { describePlan, RunPlan, showArgv } from '../plan-reply.ts';
import { commandFailures } from './command-failures.ts';
import type { CommandParts, OrderedRun } from './order-command.ts';

/** What run_command, shell and start_job give: a plan after a dry run, else a job, and its output once it has ended. */
export const RunReply = z.strictObject({
  job: JobState.optional(),
  output: z.strictObject({ text: z.string(), dropped: z.number() }).optional(),
  plan: RunPlan.pick({ argv: true, directory: true }).optional().describe('After a dry run'),
});

/** What a dry run says. */
export async function planReply({ options }: CommandParts, { order, plan }: OrderedRun): Promise<ToolReply> {
  const described = describePlan(order.argv, await plan(), { root: options.root, kind: options.sandbox });
  const { argv, directory } = described.plan;
  return { text: `${described.text}\nNothing was run.`, structured: { plan: { argv, directory } } };
}

/** What a run that has ended tells: how it ended, and head and tail of what it wrote. */
export function endedReply(job: Job): ToolReply {
  const failure = commandFailures.failureOf(job);
  if (failure !== undefined) return failure;
  const { order, output, state } = job;
  const opening = `${describeState(job)}\nRan: ${showArgv(order.argv)}`.slice(0, 1000).toWellFormed();
  const whole = output.show(sizes.execOutput - 1200 - opening.length);
  const readOn = whole.dropped === 0 ? '' : `\n${howToReadOn(job)}`;
  const text =
    whole.text.trim() === '' ? `${opening}\nIt wrote nothing.` : `${opening}${readOn}\n\nOutput:\n${whole.text}`;
  return { text, structured: { job: state, output: whole } };
}

/** What a run that goes on tells. */
export function startedReply(job: Job): ToolReply {
  const text =
    `${describeState(job)}\nRuns: ${showArgv(job.order.argv)}\n` +
    `Read what it writes with read_job ("${job.id}"), end it with stop_job.`;
  return { text, structured: { job: job.state } };
}

const endings = {
  running: 'is running',
  exited: 'exited',
  'timed-out': 'was ended: over its time',
  stopped: 'was stopped',
  'output-limit': 'was ended: it wrote more than 2 GiB',
  'not-started': 'did not start',
} as const;

/** One line about a job. */
export function describeState({ id, order, seconds, state: { state, exitCode, outputBytes } }: Job): string {
  const code = exitCode === null ? (state === 'exited' ? ' by a signal' : '') : ` with code ${exitCode}`;
  return `${id}: ${order.command} ${endings[state]}${code} (${seconds} s, ${outputBytes} bytes of output).`;
}

function howToReadOn({ id, output: { total } }: Job): string {
  const kept = total > keptBytes ? ` The first ${keptBytes / 1024 / 1024} MiB and the end are kept.` : '';
  return `Not all of it is shown: read_job with jobId "${id}" and an offset reads any part.${kept}`;
}
