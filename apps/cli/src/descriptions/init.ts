import { describeCommand } from '../describe-command.ts';
import { jsonOption } from './common-parts.ts';

export const initDescription = describeCommand({
  name: 'init',
  summary: 'write a configuration file with comments, find models, and say whom to trust',
  about: `Writes your own configuration file, unless there is one: nothing is ever overwritten. In a terminal it asks which model
shall work, and offers those that it finds: OPENAI_* variables, and what answers on this machine at port 11434 (Ollama).
Nothing outside of this machine is contacted. In a checkout it lists the files that steer agents or run code.

Code of a checkout is sent to a configured model elsewhere only after a yes, once for each checkout: here, or when a run
asks. It is kept in the data folder, and capstan config shows it.`,
  operands: {},
  options: {
    repo: {
      type: 'string',
      value: 'PATH',
      completes: 'folder',
      summary: 'the checkout to look at (default: the one you are in)',
    },
    yes: { type: 'boolean', summary: 'ask nothing: write the file with the defaults' },
    project: {
      type: 'boolean',
      summary: "write .capstan/config.yaml in the checkout instead: what agents may do there, for everybody's copy",
    },
    'trust-model': { type: 'boolean', summary: 'agree that code of the checkout is sent to the configured model' },
    'revoke-model': { type: 'boolean', summary: 'take that back' },
    json: jsonOption,
  },
  examples: ['capstan init', 'capstan init --repo ../shop --project', 'capstan init --repo ../shop --trust-model'],
});
