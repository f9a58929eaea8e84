import { resumeRun } from '@capstan/orchestration';
import { resumeDescription } from '../descriptions/resume.ts';
import type { Settings } from '../settings.ts';
import type { CommandContext } from '../terminal.ts';
import { driveAndFollow } from './drive-and-follow.ts';
import { readArguments } from './read-arguments.ts';

/** `capstan resume`: goes on with a session from where its last process left it. */
export async function resume(args: readonly string[], settings: Settings, context: CommandContext): Promise<number> {
  const json = args.includes('--json');
  return driveAndFollow(settings, context, { json }, () => {
    const { operands } = readArguments(resumeDescription, args);
    return (deps) => resumeRun(operands.session, deps);
  });
}
