import { colourDiff } from '../colour-diff.ts';
import { compose } from '../compose.ts';
import { diffDescription } from '../descriptions/diff.ts';
import { printable } from '../printable.ts';
import type { Settings } from '../settings.ts';
import { createStyle } from '../style.ts';
import type { CommandContext } from '../terminal.ts';
import { findSession } from './find-session.ts';
import { openSessionWorkspace } from './open-session-workspace.ts';
import { readArguments } from './read-arguments.ts';

/** `capstan diff`: what a session changed, as a patch that `git apply` takes. */
export async function diff(args: readonly string[], settings: Settings, context: CommandContext): Promise<number> {
  const { operands, options } = readArguments(diffDescription, args);
  const composition = await compose(settings, context);
  try {
    const session = await findSession(operands.session, composition.storage, settings.currentFolder);
    const workspace = await openSessionWorkspace(session, settings.searchPath);
    const { text, changes } = await workspace.diff();
    const { terminal } = context;
    if (options.json) terminal.out(`${JSON.stringify({ session: session.sessionId, changes, diff: text })}\n`);
    else terminal.out(terminal.interactive ? colourDiff(printable(text), createStyle(terminal.styled)) : text);
    return 0;
  } finally {
    await composition.close();
  }
}
