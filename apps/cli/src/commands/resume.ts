import { resumeRun } from '@capstan/orchestration';
import { resumeDescription } from '../descriptions/resume.ts';
import type { Settings } from '../settings.ts';
import type { CommandContext } from '../terminal.ts';
import { driveAndFollow } from './drive-and-follow.ts';
import { findSession } from './find-session.ts';
import { readArguments } from './read-arguments.ts';

/** `capstan resume`: goes on with a session from where its last process left it. */
export async function resume(args: readonly string[], settings: Settings, context: CommandContext): Promise<number> {
  const json = args.includes('--json');
  return driveAndFollow(settings, context, { json }, async () => {
    const { operands } = readArguments(resumeDescription, args);
    return async (deps) => {
      const { sessionId } = await findSession(operands.session, deps.storage, settings.currentFolder);
      return resumeRun(sessionId, deps);
    };
  });
}
