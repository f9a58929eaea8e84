import { CheckPermission } from '@capstan/checks';
import { type ContainedOptions, containedProgramOptions, readContainedOptions } from '@capstan/contained-server';
import { type Command, parseCommand, parseJson } from '@capstan/contracts';
import { z } from 'zod';

/** How one exec server was started. Its state folder takes the reports of runners and the output of runs. */
export interface ExecOptions extends ContainedOptions {
  /** Commands of the person who started it, beside those that are found. */
  readonly ownCommands: readonly Command[];
  /** Which of all commands may be run; what says no to a check says no to it as a command, too. */
  readonly commands: CheckPermission;
  /** Patterns of paths that no command changes. */
  readonly protect: readonly string[];
  /** Whether there is a tool for free shell commands. */
  readonly shell: boolean;
}

/** The options as the server's help shows them. */
export const execProgramOptions = {
  ...containedProgramOptions,
  commands: {
    value: 'JSON',
    description: 'Commands: {"templates":["seed = node seed.js {n:1..9}"],"only":[],"deny":[]}',
  },
  protect: { value: 'PATTERN', multiple: true, description: 'Paths that no command changes, e.g. "db/migrations/**"' },
  shell: { value: 'on|off', description: 'Whether there is a tool for free shell commands; off by default' },
} as const;

const CommandOptions = CheckPermission.extend({ templates: z.array(z.string()).default([]) });

/** Reads the command line of the server. Throws `usage` with what was wrong. */
export function readOptions(argv: readonly string[]): ExecOptions {
  const { options, own, usage } = readContainedOptions('exec', argv, ['commands', 'protect', 'shell']);
  const text = own('commands').at(-1) ?? '{}';
  const commands = CommandOptions.safeParse(parseJson(text)).data;
  if (commands === undefined) {
    const hint = `Write it as {"templates":["seed = node seed.js {rows:1..9}"],"only":["npm:build"],"deny":[]}.`;
    throw usage(`--commands '${text}' cannot be read`, hint);
  }
  const { templates, ...permission } = commands;
  const ownCommands = templates.map((template) => {
    const command = parseCommand(template);
    if (!('problem' in command)) return command;
    throw usage(`--commands: "${template}" ${command.problem}`, 'See the README of the exec server.');
  });
  const shell = own('shell').at(-1) ?? 'off';
  if (shell !== 'on' && shell !== 'off') throw usage(`--shell is "${shell}"`, 'Use "on" or "off".');
  return { ...options, ownCommands, commands: permission, protect: own('protect'), shell: shell === 'on' };
}
