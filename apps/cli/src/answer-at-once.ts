import type { ExitCode } from '@capstan/contracts';
import { commandDescriptions } from './command-descriptions.ts';
import type { CommandDescription } from './describe-command.ts';
import { hasFlag } from './has-flag.ts';
import { helpPage, overviewText } from './help.ts';
import { nameProgram } from './name-program.ts';
import type { Settings } from './settings.ts';
import { version } from './version.ts';

/** Text to print and the exit code. */
export interface Answer {
  readonly text: string;
  readonly exitCode: ExitCode;
}

/**
 * What takes no work: the version and the help pages; undefined for everything else. Nothing of Capstan but descriptions is
 * loaded for it, so that it costs little more than Node itself (bench/startup.ts).
 */
export function answerAtOnce(argv: readonly string[], settings: Settings): Answer | undefined {
  const [name, ...rest] = argv;
  if (name === '--version' || name === '-V') return { text: `${version(settings)}\n`, exitCode: 0 };
  const help = (page: CommandDescription | undefined) =>
    nameProgram(page ? helpPage(page) : overviewText(commandDescriptions), settings.program);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const page = describedBy(rest[0]);
    return { text: help(page), exitCode: name === undefined || (rest[0] !== undefined && !page) ? 2 : 0 };
  }
  const page = describedBy(name);
  return page && (hasFlag(rest, '--help') || hasFlag(rest, '-h')) ? { text: help(page), exitCode: 0 } : undefined;
}

function describedBy(name: string | undefined): CommandDescription | undefined {
  return commandDescriptions.find((description) => description.name === name);
}
