import { type ContainedOptions, readContainedOptions } from '@capstan/contained-server';

/** How one exec server was started. Its state folder takes the reports of runners. */
export type ExecOptions = ContainedOptions;

/** Reads the command line of the server. Throws `usage` with what was wrong. */
export function readOptions(argv: readonly string[]): ExecOptions {
  return readContainedOptions('exec', argv).options;
}
