import { defineTool, type Tool } from '@capstan/tool-server';
import { z } from 'zod';
import { commandFailures } from '../commands/command-failures.ts';
import { orderCommand } from '../commands/order-command.ts';
import { commandArguments, dryRunArgument, timeArgument } from '../commands/run-arguments.ts';
import { planReply, RunReply, startedReply } from '../commands/run-reply.ts';
import type { RunParts } from '../run-parts.ts';
import { mostInBackground } from './job-table.ts';

/** The tool that starts a declared command and does not wait for it (requirement T10). */
export function startJobTool(parts: RunParts): Tool {
  return defineTool({
    name: 'start_job',
    title: 'Start job',
    description:
      'Starts one command of list_commands in the sandbox and returns at once with a job id. Use it for servers, watchers ' +
      'and what takes minutes; read_job reads and waits, stop_job ends it, list_jobs shows all. At most ' +
      `${mostInBackground} run at a time; they end with their time limit and with this server. For what ends soon use run_command.`,
    tier: 'write',
    idempotent: false,
    input: z.strictObject({
      ...commandArguments,
      timeoutMs: timeArgument(parts.options),
      dryRun: dryRunArgument,
    }),
    output: RunReply.omit({ output: true }),
    handler: async ({ dryRun, ...request }) => {
      const ordered = await orderCommand(parts, request);
      if ('failure' in ordered) return ordered;
      if (dryRun) return planReply(parts, ordered);
      const job = parts.jobs.start(ordered.order);
      return job === undefined ? commandFailures.tooManyJobs() : startedReply(job);
    },
  });
}
