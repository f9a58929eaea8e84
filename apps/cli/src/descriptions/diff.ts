import { describeCommand } from '../describe-command.ts';
import { jsonOption, sessionOperand } from './common-parts.ts';

export const diffDescription = describeCommand({
  name: 'diff',
  summary: 'show what a session changed',
  about: `Prints a unified diff of the session's changes against the checkout that it started from.`,
  operands: { session: sessionOperand },
  options: { json: jsonOption },
  examples: ['capstan diff last | less'],
});
