import { describeCommand } from '../describe-command.ts';
import { jsonOption } from './common-parts.ts';

export const doctorDescription = describeCommand({
  name: 'doctor',
  summary: 'say what works on this machine',
  about: `Says which parts work on this machine: Node, git, sandbox, data folder, configuration, model. Exit code 4 when runs
cannot work here.`,
  operands: {},
  options: { json: jsonOption },
  examples: ['capstan doctor'],
});
