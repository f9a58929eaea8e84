import type { CommandDescription } from '../describe-command.ts';

/** What a shell has to know of a command, drawn from its description. */
export interface CommandPlan {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionPlan[];
  /** By place. */
  readonly operands: readonly OperandPlan[];
}

export interface OptionPlan {
  readonly flag: string;
  readonly summary: string;
  /** What follows the flag; undefined for a switch. */
  readonly value: 'folder' | 'text' | undefined;
  /** How help calls the value. */
  readonly placeholder: string;
}

export interface OperandPlan {
  readonly what: string;
  readonly offers: 'sessions' | 'nothing' | readonly string[];
}

/** The same for every shell; each script only writes it down in its own language. */
export function completionPlan(descriptions: readonly CommandDescription[]): CommandPlan[] {
  return descriptions.map(({ name, summary, options, operands }) => ({
    name,
    summary,
    options: [
      ...Object.entries(options).flatMap(([flag, option]): OptionPlan[] =>
        option.hidden
          ? []
          : [
              {
                flag: `--${flag}`,
                summary: oneLine(option.summary),
                value: option.type === 'boolean' ? undefined : (option.completes ?? 'text'),
                placeholder: option.value ?? '',
              },
            ],
      ),
      { flag: '--help', summary: 'options and examples', value: undefined, placeholder: '' },
    ],
    operands: Object.values(operands).map(({ what, choices, completes }) => ({
      what,
      offers: choices ?? (completes === 'session' ? 'sessions' : 'nothing'),
    })),
  }));
}

/** Words that stand where a command does. */
export const firstFlags = ['--help', '--version'] as const;

function oneLine(summary: string): string {
  return summary.replaceAll('\n', '; ');
}
