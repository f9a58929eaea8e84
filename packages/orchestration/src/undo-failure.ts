import { ExitCode, type Failure } from '@capstan/contracts';
import type { UndoOutcome } from '@capstan/workspace';

/** What a person is told when an undo did not happen, and the exit code for it. */
export function undoFailure(
  outcome: Extract<UndoOutcome, { kind: 'moved' | 'read-only' }>,
  sessionId: string,
): { failure: Failure; exitCode: number } {
  if (outcome.kind === 'read-only') {
    return {
      exitCode: ExitCode.environment,
      failure: {
        level: 'fatal',
        code: 'checkout-read-only',
        message: `Not taken back: the checkout cannot be written (${outcome.reason}).`,
        hint: `Make it writable, then: capstan undo ${sessionId}`,
      },
    };
  }
  return {
    exitCode: ExitCode.needsHuman,
    failure: {
      level: 'fatal',
      code: 'checkout-moved',
      message: `Not taken back: these files have changed in the same places since: ${outcome.files.join(', ')}`,
      hint: `Nothing was touched. Take your changes in them aside, then: capstan undo ${sessionId}; or undo by hand what \`capstan diff ${sessionId}\` shows.`,
    },
  };
}
