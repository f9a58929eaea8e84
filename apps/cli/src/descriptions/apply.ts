import { describeCommand } from '../describe-command.ts';
import { jsonOption, sessionOperand } from './common-parts.ts';

export const applyDescription = describeCommand({
  name: 'apply',
  summary: 'bring its changes into the checkout: all of them or none',
  about: `Brings the session's changes into the checkout: all of them or none. A checkout that moved on is merged where the changes
do not touch, else refused. Files that can run code or steer tools (CI, package scripts, agent instructions...) hold
everything until --reviewed says that a person has looked at them. Links too. Changes that no
check bore out need --unverified: those of a run that did not end verified, and those in a repository without tests.`,
  operands: { session: sessionOperand },
  options: {
    reviewed: { type: 'boolean', summary: 'a person has looked at the files that hold the diff' },
    unverified: { type: 'boolean', summary: 'apply though the run did not end with its changes verified' },
    json: jsonOption,
  },
  examples: ['capstan apply session-0f3a', 'capstan apply session-0f3a --reviewed'],
});
