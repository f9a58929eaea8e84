import { describeCommand } from '../describe-command.ts';
import { jsonOption, sessionOperand } from './common-parts.ts';

export const undoDescription = describeCommand({
  name: 'undo',
  summary: 'take its apply back: the files get what they had before, all of them or none',
  about: `Takes the newest apply of a session back: the files that it changed get what they had before, all of them or none.
What you changed in them since is merged where the changes do not touch; where they do, nothing is touched and the files
are named (exit code 3). After an undo, apply works again. An apply or undo that a crash broke off is taken back or
finished by the next call of either.`,
  operands: { session: sessionOperand },
  options: { json: jsonOption },
  examples: ['capstan undo last', 'capstan undo session-0f3a --json'],
});
