import { CapstanError, ExitCode } from '@capstan/contracts';
import { type Composition, compose } from '../compose.ts';
import { auditDescription } from '../descriptions/audit.ts';
import { reportFailure } from '../report-failure.ts';
import type { Settings } from '../settings.ts';
import type { CommandContext } from '../terminal.ts';
import { readArguments } from './read-arguments.ts';

/** `capstan audit verify`: finds any change of the audit trail. */
export async function audit(args: readonly string[], settings: Settings, context: CommandContext): Promise<number> {
  const { options } = readArguments(auditDescription, args);
  const composition = await compose(settings, context);
  try {
    const verdict = await composition.storage.verifyAudit();
    if (!verdict.ok) return tellBroken(verdict, options.json, settings, context);
    const { out } = context.terminal;
    out(
      options.json
        ? `${JSON.stringify(verdict)}\n`
        : `The audit trail is complete and unchanged: ${verdict.rows} rows.\n`,
    );
    return ExitCode.done;
  } finally {
    await composition.close();
  }
}

type Broken = Exclude<Awaited<ReturnType<Composition['storage']['verifyAudit']>>, { ok: true }>;

/** The failure of the error table; with `--json` the verdict is in it, so that a program finds the row. */
function tellBroken(verdict: Broken, json: boolean, { program }: Settings, { terminal }: CommandContext): number {
  const message = `The audit trail is broken at row ${verdict.number}: ${verdict.reason}`;
  const broken = new CapstanError('audit-broken', message, {
    hint: 'Keep a copy of the data folder as it is; rows before that one can be relied on, none from it on.',
  });
  if (json) terminal.out(`${JSON.stringify({ ...verdict, ...broken.toFailure() })}\n`);
  else reportFailure(broken.toFailure(), terminal, { json, program });
  return broken.exitCode;
}
