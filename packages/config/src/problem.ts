import { CapstanError } from '@capstan/contracts';

/** Something wrong in a source of configuration. */
export interface Problem {
  /** `file:line:column`, or what else says where. */
  readonly place: string;
  readonly message: string;
  readonly hint: string;
}

const mostShown = 10;

/** One error for all problems of a source: each with its place, and the hint of the first one. */
export function badConfig(problems: readonly Problem[]): CapstanError {
  const shown = problems.slice(0, mostShown).map(({ place, message }) => `${place}: ${message}`);
  const more = problems.length > mostShown ? [`... and ${problems.length - mostShown} more`] : [];
  return new CapstanError('bad-config', [...shown, ...more].join('\n'), { hint: problems[0]?.hint ?? '' });
}
