import { describeCommand } from '../describe-command.ts';
import { jsonOption, sessionOperand } from './common-parts.ts';

export const traceDescription = describeCommand({
  name: 'trace',
  summary: 'show what a session did, and how long each part took',
  about: `Prints a tree of a session's runs: the processes that drove them, steps, requests to models, tool calls, tests and
questions, each with its start, its duration and its share of the work. Waiting for a person, and time in which no process
ran, are shown apart and are no work. A session that still runs can be traced too.`,
  operands: {
    session: sessionOperand,
    file: {
      placeholder: 'FILE',
      what: 'file',
      summary: 'with --html: where the page goes (default: trace-SESSION.html in the current folder; - prints it)',
      optional: true,
    },
  },
  options: {
    html: { type: 'boolean', summary: 'write one HTML page that needs nothing else, to look at or to keep' },
    json: jsonOption,
  },
  examples: ['capstan trace last', 'capstan trace session-0f3a --html report.html'],
});
