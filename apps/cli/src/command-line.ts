import { CapstanError, ExitCode, errorCodes, toFailure } from '@capstan/contracts';
import { type CommandName, commandDescriptions } from './command-descriptions.ts';
import type { CommandDescription } from './describe-command.ts';
import { helpPage, overviewText } from './help.ts';
import { nameProgram } from './name-program.ts';
import { type ReportOptions, reportFailure } from './report-failure.ts';
import type { Settings } from './settings.ts';
import type { CommandContext } from './terminal.ts';
import { version } from './version.ts';

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
  completion: async () => (await import('./commands/completion.ts')).completion,
};

/** Runs one command line and returns its exit code; the only place where what was thrown becomes a message. */
export async function runCommandLine(
  argv: readonly string[],
  settings: Settings,
  context: CommandContext,
): Promise<number> {
  const [name, ...rest] = argv;
  const { terminal } = context;
  const description = findDescription(name);
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
      const page = findDescription(rest[0]);
      terminal.out(nameProgram(page ? helpPage(page) : overviewText(commandDescriptions), settings.program));
      return name === undefined || (rest[0] !== undefined && !page) ? ExitCode.usage : ExitCode.done;
    }
    if (name === '--version' || name === '-V') {
      terminal.out(`${version(settings)}\n`);
      return ExitCode.done;
    }
    if (!description) throw unknownCommand(name);
    if (hasFlag(rest, '--help') || hasFlag(rest, '-h')) {
      terminal.out(nameProgram(helpPage(description), settings.program));
      return ExitCode.done;
    }
    const command = await commands[description.name]();
    return await command(rest, settings, context);
  } catch (thrown) {
    const json = hasFlag(rest, '--json') && !description?.streams;
    return report(thrown, context, { json, program: settings.program });
  }
}

function findDescription(name: string | undefined): (CommandDescription & { readonly name: CommandName }) | undefined {
  return commandDescriptions.find((description) => description.name === name);
}

/** Whether an argument is there; what comes after `--` is text. */
function hasFlag(args: readonly string[], flag: string): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).includes(flag);
}

function unknownCommand(name: string): CapstanError {
  return new CapstanError('usage', `There is no command "${name}".`, {
    hint: `Commands: ${commandDescriptions.map((description) => description.name).join(', ')}. See capstan --help.`,
  });
}

function report(thrown: unknown, { terminal }: CommandContext, options: ReportOptions): number {
  reportFailure(toFailure(thrown), terminal, options);
  return thrown instanceof CapstanError ? thrown.exitCode : errorCodes.internal.exit;
}
