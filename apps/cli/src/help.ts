import type { CommandDescription, OptionDescription } from './describe-command.ts';

/** The overview: every command in a line. */
export function overviewText(descriptions: readonly CommandDescription[]): string {
  const rows = descriptions.map((description) => [`capstan ${shortUsage(description)}`, description.summary] as const);
  return `Capstan: coding agents that fix code in a sandbox and show a diff before anything is changed.

${columns([...rows, ['capstan COMMAND --help', 'options and examples']])}

Exit codes: 0 done, and verified where tests can judge it, 1 not solved, 2 wrong use, 3 needs a human or was denied,
4 this environment cannot do it (the message says which part). A second Ctrl-C ends at once, with 130.
`;
}

/** The help page of one command. */
export function helpPage(description: CommandDescription): string {
  const operands = Object.values(description.operands).flatMap(({ placeholder, summary }) =>
    summary === undefined ? [] : [[placeholder, summary] as const],
  );
  const options = shownOptions(description).map(
    ([name, option]) => [optionText(name, option), option.summary] as const,
  );
  const words = [...operands, ...options];
  const parts = [
    `capstan ${usage(description)}`,
    ...(description.about === undefined ? [] : [description.about]),
    ...(words.length === 0 ? [] : [columns(words)]),
    ['Examples:', ...description.examples.map((example) => `  ${example}`)].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** A command with its operands and options: `apply SESSION [--reviewed]`. */
export function usage(description: CommandDescription): string {
  const options = shownOptions(description).map(([name, option]) => `[${optionText(name, option)}]`);
  return [shortUsage(description), ...options].join(' ');
}

function shortUsage({ name, operands }: CommandDescription): string {
  const words = Object.values(operands).map(({ placeholder, optional, many }) => {
    const word = many ? `${placeholder}...` : placeholder;
    return optional || many ? `[${word}]` : word;
  });
  return [name, ...words].join(' ');
}

function optionText(name: string, { value }: OptionDescription): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function shownOptions({ options }: CommandDescription): [string, OptionDescription][] {
  return Object.entries(options).filter(([, option]) => option.hidden !== true);
}

/** Two columns; further lines of a summary stand below its first. */
function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  const line = ([left, right]: readonly [string, string]) =>
    `  ${left.padEnd(width)}${right.replaceAll('\n', `\n${' '.repeat(width + 2)}`)}`;
  return rows.map(line).join('\n');
}
