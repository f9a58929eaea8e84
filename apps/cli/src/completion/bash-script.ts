import { type CommandPlan, firstFlags } from './completion-plan.ts';

/** A script for bash 3.2 and later: `source <(capstan completion bash)`. */
export function bashScript(plans: readonly CommandPlan[]): string {
  const first = [...plans.map(({ name }) => name), 'help', ...firstFlags].join(' ');
  return `# Completion of capstan for bash. Load it in ~/.bashrc: source <(capstan completion bash)
_capstan() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]-}
  local program=\${COMP_WORDS[0]/#\\~/$HOME} options='' folders='' texts='' offers='' place=0 at word
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${first}' -- "$current"))
    return
  fi
  case $command in
    help) COMPREPLY=($(compgen -W '${plans.map(({ name }) => name).join(' ')}' -- "$current")); return ;;
${plans.map(flagsOf).join('\n')}
    *) return ;;
  esac
  case " $folders " in *" $previous "*)
    local IFS=$'\\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -d -- "$current"))
    return ;;
  esac
  case " $texts " in *" $previous "*) return ;; esac
  case $current in -*) COMPREPLY=($(compgen -W "$options" -- "$current")); return ;; esac
  for ((at = 2; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    case " $folders $texts " in *" $word "*) ((at++)); continue ;; esac
    case $word in -*) ;; *) ((place++)) ;; esac
  done
  case $command:$place in
${plans.flatMap(offersOf).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$offers" -- "$current"))
}
complete -F _capstan capstan
`;
}

function flagsOf({ name, options }: CommandPlan): string {
  const flags = (wanted: 'folder' | 'text') =>
    options.flatMap(({ flag, value }) => (value === wanted ? [flag] : [])).join(' ');
  const all = options.map(({ flag }) => flag).join(' ');
  return `    ${name}) options='${all}' folders='${flags('folder')}' texts='${flags('text')}' ;;`;
}

function offersOf({ name, operands }: CommandPlan): string[] {
  return operands.flatMap(({ offers }, place) => {
    if (offers === 'nothing') return [];
    const words = offers === 'sessions' ? '$("$program" completion --sessions 2>/dev/null)' : `'${offers.join(' ')}'`;
    return [`    ${name}:${place}) offers=${words} ;;`];
  });
}
