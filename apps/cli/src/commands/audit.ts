import { CapstanError, ExitCode } from '@capstan/contracts';
import { compose } from '../compose.ts';
import type { Settings } from '../settings.ts';
import type { CommandContext } from '../terminal.ts';
import { onlyPositional, readArguments } from './read-arguments.ts';

/** `capstan audit verify`: finds any change of the audit trail. */
export async function audit(args: readonly string[], settings: Settings, context: CommandContext): Promise<number> {
  const { values, positionals } = readArguments('audit', args, { json: { type: 'boolean', default: false } });
  const action = onlyPositional('audit', positionals, 'action');
  if (action !== 'verify')
    throw new CapstanError('usage', `There is no audit action "${action}".`, { hint: 'Use: capstan audit verify' });
  const composition = await compose(settings, context);
  try {
    const verdict = await composition.storage.verifyAudit();
    if (values.json) context.terminal.out(`${JSON.stringify(verdict)}\n`);
    else if (verdict.ok) context.terminal.out(`The audit trail is complete and unchanged: ${verdict.rows} rows.\n`);
    else context.terminal.error(`capstan: the audit trail is broken at row ${verdict.number}: ${verdict.reason}\n`);
    return verdict.ok ? ExitCode.done : ExitCode.unsolved;
  } finally {
    await composition.close();
  }
}
