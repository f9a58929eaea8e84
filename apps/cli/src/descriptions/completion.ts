import { describeCommand } from '../describe-command.ts';
import { jsonOption } from './common-parts.ts';

export const completionDescription = describeCommand({
  name: 'completion',
  summary: 'print a script that completes commands, options and session ids in your shell',
  about: `Prints a script for your shell; what it completes is made from the same descriptions as this page.
bash: in ~/.bashrc, source <(capstan completion bash). zsh: in ~/.zshrc after compinit, source <(capstan completion zsh).
fish: in config.fish, capstan completion fish | source. The shell has to find capstan on its PATH, or as bin/capstan.`,
  operands: { shell: { placeholder: 'SHELL', what: 'shell', choices: ['bash', 'zsh', 'fish'], optional: true } },
  options: {
    sessions: { type: 'boolean', summary: 'what the scripts ask for: ids of sessions, a line each', hidden: true },
    json: jsonOption,
  },
  examples: ['capstan completion bash', 'capstan completion zsh > ~/.zfunc/_capstan'],
});
