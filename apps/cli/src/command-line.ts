import { answerAtOnce } from './answer-at-once.ts';
import { type CommandName, commandDescriptions } from './command-descriptions.ts';
import type { CommandDescription } from './describe-command.ts';
import { hasFlag } from './has-flag.ts';
import type { ReportOptions } from './report-failure.ts';
import type { Settings } from './settings.ts';
import type { CommandContext } from './terminal.ts';

type Command = (args: readonly string[], settings: Settings, context: CommandContext) => Promise<number>;

/** Each command is loaded when it is asked for, so that `--version` and errors are fast. */
const commands: Readonly<Record<CommandName, () => Promise<Command>>> = {
  run: async () => (await import('./commands/run.ts')).run,
  resume: async () => (await import('./commands/resume.ts')).resume,
  approve: async () => (await import('./commands/approve.ts')).approve,
  sessions: async () => (await import('./commands/sessions.ts')).sessions,
  diff: async () => (await import('./commands/diff.ts')).diff,
  apply: async () => (await import('./commands/apply.ts')).apply,
  trace: async () => (await import('./commands/trace.ts')).trace,
  gc: async () => (await import('./commands/gc.ts')).gc,
  undo: async () => (await import('./commands/undo.ts')).undo,
  init: async () => (await import('./commands/init.ts')).init,
  config: async () => (await import('./commands/config.ts')).config,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  audit: async () => (await import('./commands/audit.ts')).audit,
  tools: async () => (await import('./commands/tools.ts')).tools,
  completion: async () => (await import('./commands/completion.ts')).completion,
};

/**
 * Runs one command line and returns its exit code; the only place where what was thrown becomes a message. Packages are
 * loaded when they are needed, and for the version and for help none is.
 */
export async function runCommandLine(
  argv: readonly string[],
  settings: Settings,
  context: CommandContext,
): Promise<number> {
  const answer = answerAtOnce(argv, settings);
  if (answer !== undefined) {
    context.terminal.out(answer.text);
    return answer.exitCode;
  }
  const [name = '', ...rest] = argv;
  const description = findDescription(name);
  try {
    if (!description) throw await unknownCommand(name);
    const command = await commands[description.name]();
    return await command(rest, settings, context);
  } catch (thrown) {
    const json = hasFlag(rest, '--json') && !description?.streams;
    return await report(thrown, context, { json, program: settings.program });
  }
}

function findDescription(name: string): (CommandDescription & { readonly name: CommandName }) | undefined {
  return commandDescriptions.find((description) => description.name === name);
}

async function unknownCommand(name: string): Promise<Error> {
  const { CapstanError } = await import('@capstan/contracts');
  return new CapstanError('usage', `There is no command "${name}".`, {
    hint: `Commands: ${commandDescriptions.map((description) => description.name).join(', ')}. See capstan --help.`,
  });
}

async function report(thrown: unknown, { terminal }: CommandContext, options: ReportOptions): Promise<number> {
  const { CapstanError, errorCodes, toFailure } = await import('@capstan/contracts');
  const { reportFailure } = await import('./report-failure.ts');
  reportFailure(toFailure(thrown), terminal, options);
  return thrown instanceof CapstanError ? thrown.exitCode : errorCodes.internal.exit;
}
