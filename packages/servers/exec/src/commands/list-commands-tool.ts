import type { RepositoryReader } from '@capstan/checks';
import { Command } from '@capstan/contracts';
import { defineTool, type Tool } from '@capstan/tool-server';
import { z } from 'zod';
import type { ExecOptions } from '../exec-options.ts';
import { showArgv } from '../plan-reply.ts';
import { describeParameters } from './fill-command.ts';
import { permittedCommands } from './permitted-commands.ts';

/** More are not shown in one answer. */
const mostShown = 100;

/** A command for whoever runs it: its parameters stand in words. */
const ListedCommand = Command.pick({
  id: true,
  isCheck: true,
  argv: true,
  directory: true,
  source: true,
}).extend({
  parameters: z.string().describe('e.g. "file: path, arguments?: list of arguments"'),
});
type ListedCommand = z.infer<typeof ListedCommand>;

/** The tool that tells what can be run in a workspace. */
export function listCommandsTool(options: ExecOptions, reader: RepositoryReader): Tool {
  return defineTool({
    name: 'list_commands',
    title: 'List commands',
    description:
      'Lists all commands that run_command and start_job take: package scripts, make targets, tasks of Python, cargo and ' +
      'go, those of the configuration, and the checks. Each with its id, its parameters and where it comes from. Use it ' +
      'before the first run_command. It starts nothing. For tests and builds that are to be judged use list_checks.',
    tier: 'read',
    idempotent: true,
    input: z.strictObject({
      match: z.string().max(200).default('').describe('Only ids that contain this text, e.g. "docs"'),
    }),
    output: z.strictObject({
      commands: z.array(ListedCommand),
      more: z.number().describe('How many others match'),
      off: z.array(z.string()).describe('Ids that the configuration switches off'),
    }),
    handler: async ({ match }) => {
      const { permitted, off } = await permittedCommands(reader, options);
      const matching = permitted.filter(({ id }) => id.includes(match));
      const shown = matching.slice(0, mostShown);
      const more = matching.length - shown.length;
      const ids = off.map(({ id }) => id);
      const text = [...shown.map(describeCommand), ...closingLines(shown.length, more, ids, options)].join('\n');
      return { text, structured: { commands: shown.map(listed), more, off: ids } };
    },
  });
}

function listed(command: Command): ListedCommand {
  const { id, isCheck, argv, directory, source } = command;
  return { id, isCheck, argv, directory, source, parameters: describeParameters(command) };
}

function closingLines(shown: number, more: number, off: readonly string[], { sandbox, shell }: ExecOptions): string[] {
  return [
    ...(shown === 0 ? ['No commands were found.'] : []),
    ...(more > 0 ? [`... and ${more} more: narrow them with "match".`] : []),
    ...(off.length > 0 ? [`Switched off by the configuration: ${off.slice(0, mostShown).join(', ')}.`] : []),
    ...(shell ? ['The tool shell takes anything else.'] : []),
    sandbox === 'none' ? 'There is no sandbox: nothing will be run.' : `Sandbox: ${sandbox}, no network.`,
  ];
}

function describeCommand(command: Command): string {
  const parameters = describeParameters(command);
  const what = command.description === undefined ? '' : ` ${command.description}.`;
  const place = command.directory === '.' ? '' : `, in ${command.directory}`;
  const takes = parameters === '' ? '' : ` Takes ${parameters}.`;
  return `- ${command.id} (${command.source}${place}):${what} ${showArgv(command.argv)}${takes}`;
}
