import type { CommandPlan, OptionPlan } from './completion-plan.ts';

/** A script for fish: `capstan completion fish | source`. */
export function fishScript(plans: readonly CommandPlan[]): string {
  return `# Completion of capstan for fish. Load it in ~/.config/fish/config.fish: capstan completion fish | source
complete -c capstan -f
${plans.map(({ name, summary }) => `complete -c capstan -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`).join('\n')}
complete -c capstan -n __fish_use_subcommand -l version -d 'the version'
${plans.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ name, options, operands }: CommandPlan): string[] {
  const seen = `complete -c capstan -n '__fish_seen_subcommand_from ${name}'`;
  const offers = operands.flatMap((operand) => {
    if (operand.offers === 'nothing') return [];
    const words =
      operand.offers === 'sessions' ? '(capstan completion --sessions 2>/dev/null)' : operand.offers.join(' ');
    return [`${seen} -k -a '${words}'`];
  });
  return [...options.map((option) => `${seen} ${optionText(option)}`), ...offers];
}

function optionText({ flag, summary, value }: OptionPlan): string {
  const follows = value === 'folder' ? ` -x -a '(__fish_complete_directories)'` : value === 'text' ? ' -x' : '';
  return `-l ${flag.slice(2)}${follows} -d ${quoted(summary)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
