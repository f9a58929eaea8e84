import {
  checkPaths,
  explainFailure,
  type FilteredPath,
  findUnderWay,
  type Repository,
  readStatus,
  type StatusEntry,
  showPath,
} from '@capstan/git-repository';
import { type Refusal, refuse } from '@capstan/workspace';

/** Refuses while somebody has a merge, rebase or the like under way; some effects are part of a merge. */
export async function checkIdle(repository: Repository, except: readonly string[] = []): Promise<Refusal | undefined> {
  const busy = (await findUnderWay(repository)).filter(
    (what) => !except.includes(what) && !what.startsWith('another git'),
  );
  if (busy.length === 0) return undefined;
  return refuse(
    'under-way',
    `A ${busy.join(' and a ')} is under way in this repository.`,
    'A person has to end it (git status says how), or it is left as it is.',
  );
}

/** The state of files, as `git status` sees it. */
export async function readEntries(
  repository: Repository,
  paths: readonly string[],
): Promise<readonly StatusEntry[] | Refusal> {
  const checked = checkPaths(paths);
  if ('failure' in checked) return checked;
  const flags = ['--porcelain=v2', '-z', '--untracked-files=all', '--ignore-submodules=dirty', '--no-renames'];
  const result = await repository.run(['status', ...flags, '--', ...checked.specs]);
  return result.exitCode === 0 ? readStatus(result.stdout).entries : explainFailure(repository, result);
}

/** Refuses files whose content would have to go through a filter. */
export function refuseFiltered(filtered: readonly FilteredPath[], what: string): Refusal | undefined {
  if (filtered.length === 0) return undefined;
  const names = filtered.slice(0, 5).map(({ path, filter }) => `${JSON.stringify(showPath(path))} (${filter})`);
  const more = filtered.length > names.length ? ` and ${filtered.length - names.length} more` : '';
  return refuse(
    'filtered-content',
    `The repository wants a content filter for ${names.join(', ')}${more}. Filters are never run here, and without it ${what} would be wrong. Nothing was done.`,
    'Leave these files out, or let a person do it with their own git.',
  );
}

/** The id of HEAD; an empty text before the first commit. */
export async function headOf(repository: Repository): Promise<string> {
  const result = await repository.run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  return result.exitCode === 0 ? result.stdout.toString('latin1').trim() : '';
}

/** The branch that is checked out; undefined when HEAD is detached. */
export async function currentBranch(repository: Repository): Promise<string | undefined> {
  const result = await repository.run(['symbolic-ref', '--quiet', '--short', 'HEAD']);
  return result.exitCode === 0 ? result.stdout.toString('utf8').trim() : undefined;
}

/** The commit of a branch; undefined when there is none of that name. */
export async function branchCommit(repository: Repository, name: string): Promise<string | undefined> {
  const result = await repository.run([
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `refs/heads/${name}^{commit}`,
  ]);
  return result.exitCode === 0 ? result.stdout.toString('latin1').trim() : undefined;
}

/** Runs git for its effect. */
export async function act(
  repository: Repository,
  args: readonly string[],
  options: Parameters<Repository['run']>[1] = {},
): Promise<Refusal | undefined> {
  const result = await repository.run(args, options);
  return result.exitCode === 0 ? undefined : explainFailure(repository, result);
}
