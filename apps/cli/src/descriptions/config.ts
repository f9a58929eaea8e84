import { describeCommand } from '../describe-command.ts';
import { jsonOption } from './common-parts.ts';

export const configDescription = describeCommand({
  name: 'config',
  summary: 'print what is configured, and where each value comes from',
  about: `Each source stands over the one before: defaults, your own file, the checkout's .capstan/config.yaml (which can only
tighten), CAPSTAN_* variables, flags. docs/reference/configuration.md has all keys. Keys of models are never printed.`,
  operands: {},
  options: {
    repo: {
      type: 'string',
      value: 'PATH',
      completes: 'folder',
      summary: 'the checkout whose file counts too (default: the one you are in)',
    },
    json: jsonOption,
  },
  examples: ['capstan config', 'capstan config --repo ../shop --json'],
});
