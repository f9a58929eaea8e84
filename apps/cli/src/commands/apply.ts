import { applyFailure, applySession } from '@capstan/orchestration';
import { compose } from '../compose.ts';
import { printable, printableValue } from '../printable.ts';
import type { Settings } from '../settings.ts';
import type { CommandContext } from '../terminal.ts';
import { onlyPositional, readArguments } from './read-arguments.ts';

/** `capstan apply`: brings a session's changes into the checkout, all of them or none. */
export async function apply(args: readonly string[], settings: Settings, context: CommandContext): Promise<number> {
  const { values, positionals } = readArguments('apply', args, { reviewed: { type: 'boolean', default: false } });
  const sessionId = onlyPositional('apply', positionals, 'session id');
  const { terminal } = context;
  const composition = await compose(settings, context);
  try {
    const { outcome, repository } = await applySession(sessionId, values.reviewed, composition.deps);
    if (outcome.kind === 'applied') {
      terminal.out(`Applied to ${repository}: ${printable(outcome.files.join(', '))}\n`);
      return 0;
    }
    if (outcome.kind === 'nothing') {
      terminal.out('This session changed nothing.\n');
      return 0;
    }
    const { failure, exitCode } = printableValue(applyFailure(outcome, sessionId));
    terminal.error(`capstan: ${failure.message}\n  ${failure.hint}\n`);
    return exitCode;
  } finally {
    await composition.close();
  }
}
