import type { CommandPlan, OperandPlan, OptionPlan } from './completion-plan.ts';

/** A script for zsh: `source <(capstan completion zsh)` after compinit, or a file `_capstan` on the fpath. */
export function zshScript(plans: readonly CommandPlan[]): string {
  return `#compdef capstan
# Completion of capstan for zsh. Load it in ~/.zshrc after compinit: source <(capstan completion zsh)
_capstan_sessions() {
  local -a sessions
  sessions=(\${(f)"$(\${words[1]/#\\~/$HOME} completion --sessions 2>/dev/null)"})
  compadd -V sessions -a sessions
}
_capstan() {
  local program=$words[1]
  local -a commands
  commands=(
${plans.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join('\n')}
    'help:the overview, or the help page of a command'
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  words=($program "\${(@)words[3,-1]}")
  ((CURRENT--))
  case $command in
    help) _describe command commands ;;
${plans.map(caseOf).join('\n')}
  esac
}
compdef _capstan capstan
`;
}

function caseOf({ name, options, operands }: CommandPlan): string {
  const specs = [...options.map(optionSpec), ...operands.map(operandSpec)];
  return `    ${name}) _arguments ${specs.map(quoted).join(' ')} ;;`;
}

function optionSpec({ flag, summary, value, placeholder }: OptionPlan): string {
  const text = `${flag}[${summary.replaceAll(/[[\]\\]/g, '\\$&')}]`;
  if (value === undefined) return text;
  return `${text}:${placeholder}:${value === 'folder' ? '_files -/' : ' '}`;
}

function operandSpec({ what, offers }: OperandPlan, place: number): string {
  const action = offers === 'sessions' ? '_capstan_sessions' : offers === 'nothing' ? ' ' : `(${offers.join(' ')})`;
  return `${place + 1}::${what}:${action}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
