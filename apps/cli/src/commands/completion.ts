import { CapstanError, ExitCode } from '@capstan/contracts';
import { readSessionIds } from '@capstan/storage';
import { commandDescriptions } from '../command-descriptions.ts';
import { bashScript } from '../completion/bash-script.ts';
import { completionPlan } from '../completion/completion-plan.ts';
import { fishScript } from '../completion/fish-script.ts';
import { zshScript } from '../completion/zsh-script.ts';
import { completionDescription } from '../descriptions/completion.ts';
import type { Settings } from '../settings.ts';
import type { CommandContext } from '../terminal.ts';
import { readArguments } from './read-arguments.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** More than a person looks through. */
const mostSessions = 50;

/**
 * `capstan completion`: prints a script for a shell; with `--sessions`, what such a script asks for at each Tab. That has
 * to be quick and must not disturb: it only reads, and finds nothing rather than failing.
 */
export async function completion(
  args: readonly string[],
  settings: Settings,
  context: CommandContext,
): Promise<number> {
  const { operands, options } = readArguments(completionDescription, args);
  const { out } = context.terminal;
  if (options.sessions) {
    const sessions = readSessionIds(settings.home, mostSessions);
    const words = sessions.length > 0 ? ['last', ...sessions] : [];
    out(options.json ? `${JSON.stringify({ sessions })}\n` : words.map((word) => `${word}\n`).join(''));
    return ExitCode.done;
  }
  if (operands.shell === undefined) {
    throw new CapstanError('usage', 'The shell is missing.', {
      hint: `Use: ${Object.keys(scripts)
        .map((shell) => `capstan completion ${shell}`)
        .join(', ')}`,
    });
  }
  const script = scripts[operands.shell](completionPlan(commandDescriptions));
  out(options.json ? `${JSON.stringify({ shell: operands.shell, script })}\n` : script);
  return ExitCode.done;
}
