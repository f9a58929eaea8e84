import type { OperandDescription, OptionDescription } from '../describe-command.ts';

/** Every command that does not stream events has it. */
export const jsonOption = {
  type: 'boolean',
  summary: 'print one JSON document; a failure too is one, with level, code, message and hint',
} as const satisfies OptionDescription;

/** An id, a beginning of one that no other has, or `last`: read it with `findSession`. */
export const sessionOperand = {
  placeholder: 'SESSION',
  what: 'session id',
  summary: 'its id, a beginning of the id that no other has, or `last`: the newest (of the checkout you are in)',
  completes: 'session',
} as const satisfies OperandDescription;
