import { describeCommand } from '../describe-command.ts';
import { jsonOption, sessionOperand } from './common-parts.ts';

export const sessionsDescription = describeCommand({
  name: 'sessions',
  summary: 'list sessions and where they stand, or show one and what to do next',
  about: `Lists sessions, newest first: those of the checkout you are in, else of all. The states: running (a live process
drives it), waiting (for a person), stopped (by Ctrl-C), broken off (its process is gone: resume goes on), done, unsolved,
denied, failed, applied, undone, half applied (a process died in apply or undo: the same command again settles it),
archived (its workspace was removed). The short ids of the list are enough for every command.`,
  operands: { session: { ...sessionOperand, optional: true } },
  options: {
    all: { type: 'boolean', summary: 'of every checkout, and however many' },
    json: jsonOption,
  },
  examples: ['capstan sessions', 'capstan sessions last', 'capstan sessions --all --json'],
});
