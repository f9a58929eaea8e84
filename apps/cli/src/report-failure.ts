import type { Failure } from '@capstan/contracts';
import { printableValue } from './printable.ts';
import type { Terminal } from './terminal.ts';

/** Says why a command did not do its work: on standard error for people, with `--json` as one object on standard output. */
export function reportFailure(failure: Failure, terminal: Terminal, json: boolean): void {
  if (json) {
    terminal.out(`${JSON.stringify(failure)}\n`);
    return;
  }
  const { message, hint } = printableValue(failure);
  terminal.error(`capstan: ${message}\n`);
  if (hint) terminal.error(`  ${hint}\n`);
}
