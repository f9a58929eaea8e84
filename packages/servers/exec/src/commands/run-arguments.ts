import { z } from 'zod';
import type { ExecOptions } from '../exec-options.ts';
import { CommandValues } from './fill-command.ts';

/** The arguments that choose a command and fill it in: the same wherever one is started. */
export const commandArguments = {
  commandId: z.string().min(1).max(200).describe('An id from list_commands, e.g. "npm:build"'),
  parameters: CommandValues.default({}).describe(
    'Values by name, as list_commands says, e.g. {"file":"seed.js","arguments":["-v"]}',
  ),
};

/** The time limit of a run. */
export function timeArgument({ longestMs }: ExecOptions) {
  return z.int().min(1000).optional().describe(`Milliseconds, e.g. 60000; by default and at most ${longestMs}`);
}

export const dryRunArgument = z.boolean().default(false).describe('Only tell what would be done, e.g. true');
