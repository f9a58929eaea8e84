import { type ErrorCode, ExitCode, errorCodes, type Failure, type RunStatus } from '@capstan/contracts';
import type { Ending } from './run-state.ts';

const statusByExit: Readonly<Record<ExitCode, RunStatus>> = {
  [ExitCode.done]: 'done',
  [ExitCode.unsolved]: 'unsolved',
  [ExitCode.usage]: 'failed',
  [ExitCode.needsHuman]: 'denied',
  [ExitCode.environment]: 'failed',
};

/** The exit code of an ending; a code that we do not know is a failed environment. */
export function exitCodeOf(ending: Ending): ExitCode {
  if (ending.status === 'done') return ExitCode.done;
  const code = ending.failure?.code ?? 'unsolved';
  return code in errorCodes ? errorCodes[code as ErrorCode].exit : ExitCode.environment;
}

/** The ending that a failure means for a run, by the one table of codes. */
export function failedEnding(failure: Failure): Ending {
  const status = statusByExit[exitCodeOf({ status: 'failed', failure })];
  return { status, failure };
}

/** An ending of our own making. */
export function failWith(code: ErrorCode, message: string, hint?: string): Ending {
  return failedEnding({ level: 'fatal', code, message, ...(hint === undefined ? {} : { hint }) });
}
