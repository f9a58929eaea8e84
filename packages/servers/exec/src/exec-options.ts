import { type ContainedOptions, readContainedOptions } from '@capstan/tool-server';

/** How one exec server was started. Its state folder takes the reports of runners. */
export interface ExecOptions extends ContainedOptions {
  /** The longest time that a run may be given. */
  readonly longestMs: number;
}

const LONGEST_MS = 600_000;

/** Reads the command line of the server. Throws `usage` with what was wrong. */
export function readOptions(argv: readonly string[]): ExecOptions {
  const { options, own, usage } = readContainedOptions('exec', argv, ['timeout-ms']);
  const longestMs = Number(own('timeout-ms').at(-1) ?? LONGEST_MS);
  if (Number.isInteger(longestMs) && longestMs >= 1) return { ...options, longestMs };
  throw usage('--timeout-ms is no number of milliseconds', 'Give one.');
}
