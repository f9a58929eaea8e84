import { CapstanError, ExitCode, errorCodes, toFailure } from '@capstan/contracts';
import { help } from './help.ts';
import { printableValue } from './printable.ts';
import type { Settings } from './settings.ts';
import type { CommandContext } from './terminal.ts';
import { version } from './version.ts';

type Command = (args: readonly string[], settings: Settings, context: CommandContext) => Promise<number>;

/** Each command is loaded when it is asked for, so that `--version` and errors are fast. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import('./commands/run.ts')).run,
  resume: async () => (await import('./commands/resume.ts')).resume,
  diff: async () => (await import('./commands/diff.ts')).diff,
  apply: async () => (await import('./commands/apply.ts')).apply,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  audit: async () => (await import('./commands/audit.ts')).audit,
};

/** Runs one command line and returns its exit code; the only place where what was thrown becomes a message. */
export async function runCommandLine(
  argv: readonly string[],
  settings: Settings,
  context: CommandContext,
): Promise<number> {
  const [name, ...rest] = argv;
  const { terminal } = context;
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
      terminal.out(help(rest[0]));
      const known = rest[0] === undefined || Object.hasOwn(commands, rest[0]);
      return name === undefined || !known ? ExitCode.usage : ExitCode.done;
    }
    if (name === '--version' || name === '-V') {
      terminal.out(`${version(settings)}\n`);
      return ExitCode.done;
    }
    const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!load) throw unknownCommand(name);
    if (rest.includes('--help') || rest.includes('-h')) {
      terminal.out(help(name));
      return ExitCode.done;
    }
    return await (await load())(rest, settings, context);
  } catch (thrown) {
    return report(thrown, context);
  }
}

function unknownCommand(name: string): CapstanError {
  return new CapstanError('usage', `There is no command "${name}".`, {
    hint: `Commands: ${Object.keys(commands).join(', ')}. See capstan --help.`,
  });
}

function report(thrown: unknown, { terminal }: CommandContext): number {
  const failure = printableValue(toFailure(thrown));
  terminal.error(`capstan: ${failure.message}\n`);
  if (failure.hint) terminal.error(`  ${failure.hint}\n`);
  return thrown instanceof CapstanError ? thrown.exitCode : errorCodes.internal.exit;
}
