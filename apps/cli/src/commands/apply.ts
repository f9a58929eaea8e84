import { ExitCode } from '@capstan/contracts';
import { applyFailure, applySession } from '@capstan/orchestration';
import { compose } from '../compose.ts';
import { applyDescription } from '../descriptions/apply.ts';
import { printable } from '../printable.ts';
import { reportFailure } from '../report-failure.ts';
import type { Settings } from '../settings.ts';
import type { CommandContext } from '../terminal.ts';
import { findSession } from './find-session.ts';
import { readArguments } from './read-arguments.ts';

/** `capstan apply`: brings a session's changes into the checkout, all of them or none. */
export async function apply(args: readonly string[], settings: Settings, context: CommandContext): Promise<number> {
  const { operands, options } = readArguments(applyDescription, args);
  const { terminal } = context;
  const composition = await compose(settings, context);
  try {
    const { sessionId: session } = await findSession(operands.session, composition.storage, settings.currentFolder);
    const { outcome, repository } = await applySession(session, options, composition.deps);
    if (outcome.kind !== 'applied' && outcome.kind !== 'nothing' && outcome.kind !== 'present') {
      const { failure, exitCode } = applyFailure(outcome, session);
      reportFailure(failure, terminal, { json: options.json, program: settings.program });
      return exitCode;
    }
    const files = outcome.kind === 'applied' ? outcome.files : [];
    if (options.json) terminal.out(`${JSON.stringify({ session, outcome: outcome.kind, repository, files })}\n`);
    else {
      terminal.out(`${printable(sentence(outcome.kind, repository, files))}\n`);
      if (outcome.kind === 'applied') terminal.out(`  Take it back:  ${settings.program} undo ${session}\n`);
    }
    return ExitCode.done;
  } finally {
    await composition.close();
  }
}

function sentence(kind: 'applied' | 'nothing' | 'present', repository: string, files: readonly string[]): string {
  if (kind === 'nothing') return 'This session changed nothing.';
  if (kind === 'present') return `${repository} has these changes already.`;
  return `Applied to ${repository}: ${files.join(', ')}`;
}
