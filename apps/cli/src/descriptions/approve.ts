import { describeCommand } from '../describe-command.ts';
import { jsonOption, sessionOperand } from './common-parts.ts';

export const approveDescription = describeCommand({
  name: 'approve',
  summary: 'answer a waiting question from any terminal',
  about: `Without a session, lists every question that waits for an answer. With one, shows the question in full and asks y or n;
where there is no terminal, CALL says which call is meant, and it is approved, or with --deny refused. An answer is for
that call with exactly those arguments, counts once, and cannot be taken back. A question that nobody answers within a day
counts as refused. A run that waits at its own prompt goes on at once; one whose process has ended is resumed.`,
  operands: {
    session: { ...sessionOperand, optional: true },
    call: {
      placeholder: 'CALL',
      what: 'call',
      summary: 'the id of the call, or what stands behind the run in it, such as 7:0',
      optional: true,
    },
  },
  options: {
    deny: { type: 'boolean', summary: 'refuse instead of asking' },
    all: { type: 'boolean', summary: 'every question of the session, each shown by itself' },
    resume: { type: 'boolean', summary: 'go on with the session afterwards, where no process drives it' },
    json: jsonOption,
  },
  examples: ['capstan approve', 'capstan approve last --resume', 'capstan approve session-0f3a 7:0 --deny'],
});
