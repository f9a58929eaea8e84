import type { RepositoryReader } from '@capstan/checks';
import { Command } from '@capstan/contracts';
import { defineTool, type Tool } from '@capstan/tool-server';
import { z } from 'zod';
import type { ExecOptions } from '../exec-options.ts';
import { describeParameters } from './fill-command.ts';
import { permittedCommands } from './permitted-commands.ts';

/** More are not shown in one answer. */
const mostShown = 100;

/** The tool that tells what can be run in a workspace. */
export function listCommandsTool(options: ExecOptions, reader: RepositoryReader): Tool {
  return defineTool({
    name: 'list_commands',
    title: 'List commands',
    description:
      'Lists all commands that run_command and start_job take: package scripts, make targets, tasks of Python, cargo and ' +
      'go, those of the configuration, and the checks. Each with its id, its parameters and where it comes from. Use it ' +
      'before the first run_command. It starts nothing. For tests and builds whose result you want judged use ' +
      'list_checks and run_check.',
    tier: 'read',
    idempotent: true,
    input: z.strictObject({
      match: z.string().max(200).default('').describe('Only ids that contain this text, e.g. "docs"'),
    }),
    output: z.strictObject({
      commands: z.array(Command),
      more: z.int().describe('How many others match'),
      off: z.array(z.string()).describe('Ids that the configuration switches off'),
    }),
    handler: async ({ match }) => {
      const { permitted, off } = await permittedCommands(reader, options);
      const matching = permitted.filter(({ id }) => id.includes(match));
      const commands = matching.slice(0, mostShown);
      const structured = { commands, more: matching.length - commands.length, off: off.map(({ id }) => id) };
      return { text: describe(structured, options), structured };
    },
  });
}

function describe(
  {
    commands,
    more,
    off,
  }: { readonly commands: readonly Command[]; readonly more: number; readonly off: readonly string[] },
  { sandbox, shell }: ExecOptions,
): string {
  const lines = commands.map(describeCommand);
  if (lines.length === 0) lines.push('No commands were found.');
  if (more > 0) lines.push(`... and ${more} more: narrow them with "match".`);
  if (off.length > 0) lines.push(`Switched off by the configuration: ${off.slice(0, mostShown).join(', ')}.`);
  if (shell) lines.push('The tool shell takes anything else.');
  lines.push(sandbox === 'none' ? 'There is no sandbox: nothing will be run.' : `Sandbox: ${sandbox}, no network.`);
  return lines.join('\n');
}

function describeCommand(command: Command): string {
  const parameters = describeParameters(command);
  const what = command.description === undefined ? '' : ` ${command.description}.`;
  const place = command.directory === '.' ? '' : `, in ${command.directory}`;
  const takes = parameters === '' ? '' : ` Takes ${parameters}.`;
  return `- ${command.id} (${command.source}${place}):${what} ${command.argv.join(' ')}${takes}`;
}
