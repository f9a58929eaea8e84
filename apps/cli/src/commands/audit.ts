import { ExitCode } from '@capstan/contracts';
import { compose } from '../compose.ts';
import { auditDescription } from '../descriptions/audit.ts';
import type { Settings } from '../settings.ts';
import type { CommandContext } from '../terminal.ts';
import { readArguments } from './read-arguments.ts';

/** `capstan audit verify`: finds any change of the audit trail. */
export async function audit(args: readonly string[], settings: Settings, context: CommandContext): Promise<number> {
  const { options } = readArguments(auditDescription, args);
  const composition = await compose(settings, context);
  try {
    const verdict = await composition.storage.verifyAudit();
    if (options.json) context.terminal.out(`${JSON.stringify(verdict)}\n`);
    else if (verdict.ok) context.terminal.out(`The audit trail is complete and unchanged: ${verdict.rows} rows.\n`);
    else context.terminal.error(`capstan: the audit trail is broken at row ${verdict.number}: ${verdict.reason}\n`);
    return verdict.ok ? ExitCode.done : ExitCode.unsolved;
  } finally {
    await composition.close();
  }
}
