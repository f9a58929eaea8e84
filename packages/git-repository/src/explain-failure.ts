import type { Failure } from '@capstan/contracts';
import type { GitResult, Refusal } from '@capstan/workspace';

/** What is needed to say in one sentence why git could not do something. */
export interface FailureFacts {
  readonly isPartialClone: boolean;
  readonly isShallow: boolean;
  /** Folders of ours, which mean nothing to the caller. */
  readonly folder: string;
}

interface Row {
  readonly pattern: RegExp;
  readonly failure: (facts: FailureFacts, match: RegExpExecArray) => Failure;
}

const param = (code: string, message: string, hint: string): Failure => ({ level: 'param', code, message, hint });
const elsewhere = 'Everything else of this repository can still be read.';

/** Said in place of git when an argument cannot be given to it. */
export const nulByte = 'An argument holds a NUL byte.';

/** What git says, by what it means. The first row that fits counts. */
const rows: readonly Row[] = [
  {
    pattern: /^An argument holds a NUL byte/,
    failure: () => param('bad-argument', nulByte, 'Leave it out.'),
  },
  {
    pattern: /Unable to create '(?:.*\/)?([^/']+\.lock)': File exists/,
    failure: (_, match) => ({
      level: 'retryable',
      code: 'repository-locked',
      message: `Another git works in this repository: ${match[1]} is there.`,
      hint: 'Try again. If no git is running, a person has to remove that file from the git folder.',
      afterMs: 1000,
    }),
  },
  {
    pattern: /does not have any commits yet|ambiguous argument 'HEAD'|not a valid (?:object name|ref).*HEAD/,
    failure: () => param('no-commits', 'The current branch has no commit yet.', 'git_status shows what is there.'),
  },
  {
    pattern: /no upstream configured|expected commit type|no such branch|log for .* only (?:has|goes)/,
    failure: () =>
      param('unknown-revision', 'That revision names no commit here.', 'git_branches and git_log show names and ids.'),
  },
  {
    pattern: /(?:already|Cannot delete branch '[^']*') (?:checked out|used by worktree) at/,
    failure: () =>
      param('in-use', 'The branch is checked out in a worktree.', 'Work there, or remove that worktree first.'),
  },
  {
    pattern: /exists; cannot create|reference already exists/,
    failure: () => param('exists', 'There is a branch whose name stands in the way.', 'Give another name.'),
  },
  {
    pattern: /no such path '?(.*?)'? in|path '(.*?)' does not exist in/,
    failure: () =>
      param('not-found', 'There is no such file in that revision.', 'git_show of the commit lists its files.'),
  },
  {
    pattern: /file (\S+) has only (\d+) lines?/,
    failure: (_, match) => param('bad-argument', `The file has ${match[2]} lines only.`, 'Ask for lines that it has.'),
  },
  {
    pattern: /index file (?:corrupt|smaller|open failed)|bad (?:signature|index)|index uses .* extension/i,
    failure: () =>
      param(
        'corrupt-repository',
        'The index of this repository is damaged.',
        `A person can mend it with "git reset". ${elsewhere}`,
      ),
  },
  {
    pattern:
      /corrupt|is empty|bad object|bad tree|unable to read|could not read|missing (?:blob|tree|commit)|unable to unpack|inflate|hash mismatch|unknown object type|invalid object|not a tree|cannot read|failed to read|broken/i,
    failure: ({ isPartialClone, isShallow }) => {
      if (isPartialClone) {
        return param(
          'missing-object',
          'This is a partial clone, and the content is not in it. Nothing is fetched here.',
          `A person can fetch it with their own git. ${elsewhere}`,
        );
      }
      if (isShallow) {
        return param(
          'missing-object',
          'This is a shallow clone: older commits are not in it.',
          `A person can run "git fetch --unshallow". ${elsewhere}`,
        );
      }
      return param(
        'corrupt-repository',
        'An object of this repository is missing or damaged.',
        `A person can look at it with "git fsck". ${elsewhere}`,
      );
    },
  },
];

/** The failure that a run of git means: a value with one clear sentence, never git's own text with paths of ours (pure). */
export function explainFailure(
  facts: FailureFacts,
  result: Pick<GitResult, 'exitCode' | 'stderr'>,
  what?: string,
): Refusal {
  for (const { pattern, failure } of rows) {
    const match = pattern.exec(result.stderr);
    if (match !== null) return { failure: failure(facts, match) };
  }
  if (result.stderr.startsWith('ended by')) {
    return {
      failure: param(
        'too-slow',
        'git took too long and was ended.',
        'Ask for less: fewer paths, a smaller range or a lower limit.',
      ),
    };
  }
  const said = firstLines(result.stderr).replaceAll(facts.folder, '.git');
  const about = what === undefined ? '' : ` (${JSON.stringify(what.slice(0, 80))})`;
  return {
    failure: param(
      'git-failed',
      `git could not do it${about}: ${said}`,
      'Correct the arguments, or ask for something else.',
    ),
  };
}

function firstLines(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('hint:'));
  return lines.slice(0, 3).join(' | ').slice(0, 500) || 'it gave no reason';
}
