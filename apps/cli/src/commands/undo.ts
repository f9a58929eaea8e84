import { ExitCode } from '@capstan/contracts';
import { undoFailure, undoSession } from '@capstan/orchestration';
import { compose } from '../compose.ts';
import { undoDescription } from '../descriptions/undo.ts';
import { printable } from '../printable.ts';
import { reportFailure } from '../report-failure.ts';
import type { Settings } from '../settings.ts';
import type { CommandContext } from '../terminal.ts';
import { findSession } from './find-session.ts';
import { readArguments } from './read-arguments.ts';

/** `capstan undo`: takes the newest apply of a session back, all of it or none. */
export async function undo(args: readonly string[], settings: Settings, context: CommandContext): Promise<number> {
  const { operands, options } = readArguments(undoDescription, args);
  const { terminal } = context;
  const composition = await compose(settings, context);
  try {
    const { sessionId: session } = await findSession(operands.session, composition.storage, settings.currentFolder);
    const { outcome, repository } = await undoSession(session, composition.deps);
    if (outcome.kind === 'moved' || outcome.kind === 'read-only') {
      const { failure, exitCode } = undoFailure(outcome, session);
      reportFailure(failure, terminal, { json: options.json, program: settings.program });
      return exitCode;
    }
    const files = outcome.kind === 'undone' ? outcome.files : [];
    if (options.json) terminal.out(`${JSON.stringify({ session, outcome: outcome.kind, repository, files })}\n`);
    else if (outcome.kind === 'nothing') terminal.out('Nothing to undo: nothing of this session is applied.\n');
    else terminal.out(`Taken back in ${printable(`${repository}: ${files.join(', ')}`)}\n`);
    return ExitCode.done;
  } finally {
    await composition.close();
  }
}
