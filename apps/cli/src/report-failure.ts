import type { Failure } from '@capstan/contracts';
import { nameProgram } from './name-program.ts';
import { printableValue } from './printable.ts';
import type { Terminal } from './terminal.ts';

export interface ReportOptions {
  readonly json: boolean;
  /** What the person calls, for hints. */
  readonly program: string;
}

/** Says why a command did not do its work: on standard error for people, with `--json` as one object on standard output. */
export function reportFailure(raw: Failure, terminal: Terminal, { json, program }: ReportOptions): void {
  const failure = raw.hint === undefined ? raw : { ...raw, hint: nameProgram(raw.hint, program) };
  if (json) {
    terminal.out(`${JSON.stringify(failure)}\n`);
    return;
  }
  const { message, hint } = printableValue(failure);
  terminal.error(`capstan: ${message}\n`);
  if (hint) terminal.error(`  ${hint}\n`);
}
