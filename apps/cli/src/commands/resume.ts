import { resumeRun } from '@capstan/orchestration';
import type { Settings } from '../settings.ts';
import type { CommandContext } from '../terminal.ts';
import { driveAndFollow } from './drive-and-follow.ts';
import { onlyPositional, readArguments } from './read-arguments.ts';

/** `capstan resume`: goes on with a session from where its last process left it. */
export async function resume(args: readonly string[], settings: Settings, context: CommandContext): Promise<number> {
  const json = args.includes('--json');
  return driveAndFollow(settings, context, { json }, () => {
    const { positionals } = readArguments('resume', args, { json: { type: 'boolean', default: false } });
    const sessionId = onlyPositional('resume', positionals, 'session id');
    return (deps) => resumeRun(sessionId, deps);
  });
}
