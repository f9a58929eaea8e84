import { ExitCode } from '@capstan/contracts';
import { applyFailure, applySession } from '@capstan/orchestration';
import { compose } from '../compose.ts';
import { printable, printableValue } from '../printable.ts';
import type { Settings } from '../settings.ts';
import type { CommandContext } from '../terminal.ts';
import { onlyPositional, readArguments } from './read-arguments.ts';

const options = {
  reviewed: { type: 'boolean', default: false },
  unverified: { type: 'boolean', default: false },
} as const;

/** `capstan apply`: brings a session's changes into the checkout, all of them or none. */
export async function apply(args: readonly string[], settings: Settings, context: CommandContext): Promise<number> {
  const { values, positionals } = readArguments('apply', args, options);
  const sessionId = onlyPositional('apply', positionals, 'session id');
  const { terminal } = context;
  const composition = await compose(settings, context);
  try {
    const { outcome, repository } = await applySession(sessionId, values, composition.deps);
    if (outcome.kind === 'applied') {
      terminal.out(`Applied to ${repository}: ${printable(outcome.files.join(', '))}\n`);
      return 0;
    }
    if (outcome.kind === 'nothing') {
      terminal.out('This session changed nothing.\n');
      return 0;
    }
    if (outcome.kind === 'present') {
      terminal.out(`${repository} has these changes already.\n`);
      return 0;
    }
    if (outcome.kind === 'unverified') {
      terminal.error(`capstan: Not applied: the last run of this session did not end with its changes verified.\n`);
      terminal.error(`  Look at them: capstan diff ${sessionId}; then, if you want them all the same: --unverified\n`);
      return ExitCode.needsHuman;
    }
    const { failure, exitCode } = printableValue(applyFailure(outcome, sessionId));
    terminal.error(`capstan: ${failure.message}\n  ${failure.hint}\n`);
    return exitCode;
  } finally {
    await composition.close();
  }
}
