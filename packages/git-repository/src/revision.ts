import { type Refusal, refuse } from '@capstan/workspace';
import { explainFailure } from './explain-failure.ts';
import type { Repository } from './repository.ts';

/** What a revision may look like; anything that git could take for an option or a path is left out. */
export const Revision = {
  pattern: /^[^-\s:][^\s:]*$/u,
  longest: 300,
  problem: 'must be a commit, branch or tag, such as "HEAD~2": no spaces, no colon, no dash at the start',
} as const;

/**
 * The full id of the commit that a revision names. All that git gets to see afterwards is this id, so that no text of a
 * caller can become an option, a path or a range.
 */
export async function resolveCommit(
  repository: Repository,
  revision: string,
): Promise<{ readonly id: string } | Refusal> {
  if (!Revision.pattern.test(revision) || revision.length > Revision.longest) {
    return refuse(
      'bad-argument',
      `The revision ${JSON.stringify(revision.slice(0, 80))} ${Revision.problem}.`,
      'Correct it.',
    );
  }
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const result = await repository.run(args);
  const id = result.stdout.toString('latin1').trim();
  if (result.exitCode === 0 && /^[0-9a-f]{40,64}$/.test(id)) return { id };
  if (result.stderr.trim() !== '') return explainFailure(repository, result, revision);
  if (revision === 'HEAD') return noCommits();
  return refuse(
    'unknown-revision',
    `There is no commit ${JSON.stringify(revision)} in this repository.`,
    'git_branches lists branches and tags, git_log commits.',
  );
}

function noCommits(): Refusal {
  return refuse('no-commits', 'The current branch has no commit yet.', 'git_status shows the files that are there.');
}
