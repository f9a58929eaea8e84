import { describeCommand } from '../describe-command.ts';
import { sessionOperand } from './common-parts.ts';

export const resumeDescription = describeCommand({
  name: 'resume',
  summary: 'go on after a crash, a stop or a question',
  about: `Goes on with the last run of a session from where its process left it. In a terminal, waiting questions are asked.`,
  operands: { session: sessionOperand },
  options: { json: { type: 'boolean', summary: 'print one event a line; the last one is run-end' } },
  examples: ['capstan resume session-0f3a'],
  streams: true,
});
