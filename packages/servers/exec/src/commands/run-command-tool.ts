import { sizes } from '@capstan/contracts';
import { defineTool, type Tool } from '@capstan/tool-server';
import { z } from 'zod';
import type { RunParts } from '../run-parts.ts';
import { orderCommand } from './order-command.ts';
import { commandArguments, dryRunArgument, timeArgument } from './run-arguments.ts';
import { planReply, RunReply } from './run-reply.ts';
import { waitForRun } from './wait-for-run.ts';

/** The tool that runs one declared command to its end (requirement T10). */
export function runCommandTool(parts: RunParts): Tool {
  return defineTool({
    name: 'run_command',
    title: 'Run command',
    description:
      'Runs one command of list_commands in the sandbox, with values for its parameters, and waits for its end: exit code ' +
      `and up to ${sizes.execOutput / 1024} KiB of output, head and tail; read_job reads the rest. Use it for builds, generators and ` +
      'scripts. No shell, no network, no home folder; no value is read as an option unless its type says so. For what ' +
      'runs long use start_job; for tests run_check, which reads their report.',
    tier: 'write',
    idempotent: false,
    input: z.strictObject({
      ...commandArguments,
      timeoutMs: timeArgument(parts.options),
      dryRun: dryRunArgument,
    }),
    output: RunReply,
    handler: async ({ dryRun, ...request }, context) => {
      const ordered = await orderCommand(parts, request);
      if ('failure' in ordered) return ordered;
      return dryRun ? planReply(parts, ordered) : waitForRun(parts, ordered.order, context);
    },
  });
}
