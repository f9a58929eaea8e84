import { z } from 'zod';
import type { ExecOptions } from '../exec-options.ts';
import { CommandValues } from './fill-command.ts';

/** The arguments that choose a command and fill it in: the same wherever one is started. */
export const commandArguments = {
  commandId: z.string().min(1).max(200).describe('An id from list_commands, e.g. "npm:build"'),
  parameters: CommandValues.default({}).describe(
    'Values by parameter name, as list_commands says, e.g. {"file":"src/seed.js","arguments":["--rows","5"]}',
  ),
};

/** The time limit of a run. */
export function timeArgument({ longestMs }: ExecOptions) {
  return z
    .int()
    .min(1000)
    .optional()
    .describe(`Wall time in milliseconds, e.g. 60000; ${longestMs} by default, and never more than that`);
}

export const dryRunArgument = z.boolean().default(false).describe('Only tell what would be done, e.g. true');
