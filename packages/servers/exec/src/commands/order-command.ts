import type { RepositoryReader } from '@capstan/checks';
import type { Failure, SandboxProfile, SandboxRunner } from '@capstan/contracts';
import type { OverlayUppers } from '@capstan/sandbox';
import { param } from '@capstan/tool-server';
import type { ExecOptions } from '../exec-options.ts';
import type { JobOrder } from '../jobs/job.ts';
import { planRun, prepareRun } from '../prepare-run.ts';
import { runInSandbox } from '../run-in-sandbox.ts';
import { findToolchain, needOfCommand } from '../toolchain.ts';
import { commandFailures } from './command-failures.ts';
import { type CommandValues, fillCommand } from './fill-command.ts';
import { permittedCommands } from './permitted-commands.ts';

export interface CommandParts {
  readonly options: ExecOptions;
  readonly reader: RepositoryReader;
  readonly uppers: OverlayUppers;
  readonly runner: SandboxRunner;
}

/** What a caller wants run. */
export interface CommandRequest {
  readonly commandId: string;
  readonly parameters: CommandValues;
  readonly timeoutMs?: number | undefined;
}

/** A run that can be started, and what it would see. */
export interface OrderedRun {
  readonly order: JobOrder;
  plan(): Promise<SandboxProfile>;
}

/** Finds a command, fills in its values and looks for its programs; or says why it cannot be run. */
export async function orderCommand(
  parts: CommandParts,
  { commandId, parameters, timeoutMs }: CommandRequest,
): Promise<OrderedRun | { readonly failure: Failure }> {
  const { permitted, off } = await permittedCommands(parts.reader, parts.options);
  if (off.some(({ id }) => id === commandId)) return commandFailures.switchedOff(commandId);
  const command = permitted.find(({ id }) => id === commandId);
  if (command === undefined) return commandFailures.unknownCommand(commandId, permitted);
  const filled = fillCommand(command, parameters);
  if ('problem' in filled) return param(filled.problem, filled.hint);
  return orderRun(parts, { command: command.id, argv: filled.argv, directory: command.directory, timeoutMs });
}

/** The same for an argument vector that is already known. */
export async function orderRun(
  parts: CommandParts,
  run: {
    readonly command: string;
    readonly argv: readonly string[];
    readonly directory: string;
    readonly timeoutMs?: number | undefined;
  },
): Promise<OrderedRun | { readonly failure: Failure }> {
  const { options } = parts;
  const { command, argv, directory, timeoutMs } = run;
  if (options.sandbox === 'none') return commandFailures.noSandbox();
  const toolchain = await findToolchain(needOfCommand(argv, directory), options);
  if ('missing' in toolchain) return commandFailures.noProgram(command, toolchain.missing);
  const milliseconds = Math.min(timeoutMs ?? options.longestMs, options.longestMs);
  const place = { directory, toolchain, protect: options.protect };
  return {
    order: {
      command,
      argv,
      start: async (streams) => {
        await using prepared = await prepareRun(parts, place);
        return await runInSandbox(parts.runner, prepared, { argv, milliseconds }, streams);
      },
    },
    plan: () => planRun(options, place, { milliseconds, outputBytes: 0 }),
  };
}
