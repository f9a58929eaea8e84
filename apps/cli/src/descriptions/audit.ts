import { describeCommand } from '../describe-command.ts';
import { jsonOption } from './common-parts.ts';

export const auditDescription = describeCommand({
  name: 'audit',
  summary: 'check that the audit trail is complete and unchanged',
  about: `Checks the hash chain over every audited call. Exit code 4 (audit-broken) says that it does not hold,
and the message names the first row that was changed, removed or added.`,
  operands: { action: { placeholder: 'verify', what: 'action', choices: ['verify'] } },
  options: { json: jsonOption },
  examples: ['capstan audit verify'],
});
