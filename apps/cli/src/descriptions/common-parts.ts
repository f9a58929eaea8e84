import type { OperandDescription, OptionDescription } from '../describe-command.ts';

/** Every command that does not stream events has it. */
export const jsonOption = {
  type: 'boolean',
  summary: 'print one JSON document; a failure too is one, with level, code, message and hint',
} as const satisfies OptionDescription;

export const sessionOperand = {
  placeholder: 'SESSION',
  what: 'session id',
  completes: 'session',
} as const satisfies OperandDescription;
