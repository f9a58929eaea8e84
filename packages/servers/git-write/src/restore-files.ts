import {
  checkPaths,
  explainFailure,
  filteredPaths,
  pathBytes,
  type Repository,
  rawDiffFlags,
  readRawChanges,
  resolveCommit,
  showPath,
} from '@capstan/git-repository';
import { defineTool, param, type Tool } from '@capstan/tool-server';
import { isProtectedPath, type Refusal } from '@capstan/workspace';
import { z } from 'zod';
import { act, checkIdle, refuseFiltered } from './checks.ts';
import { type EffectDeps, type EffectPlan, type PlanContext, runEffect } from './effect.ts';
import { countFiles, EffectReply } from './effect-reply.ts';
import { dryRunInput, pathsInput, repositoryInput, revisionInput } from './inputs.ts';
import { keepFiles } from './keep-files.ts';

const Input = z.strictObject({
  repository: repositoryInput,
  paths: pathsInput,
  from: revisionInput('Commit whose files are wanted, e.g. "HEAD~1"; left out: the index').optional(),
  dryRun: dryRunInput,
});
type Input = z.infer<typeof Input>;

/** More files are restored by several calls. */
const mostFiles = 500;

/** The tool that takes changes of files back. */
export function restoreFilesTool(deps: EffectDeps): Tool {
  return defineTool({
    name: 'git_restore',
    title: 'Restore files',
    description: `Brings tracked files back to what the index or a commit has; files that it lacks are removed. Use it to drop changes that are not committed. What was there is kept first: git_bring_back returns it. \
The index stays as it is; up to 500 files of 16 MiB. Not for untracked or secret files, links and content filters (Git LFS). To empty the index use git_unstage.`,
    tier: 'write',
    idempotent: true,
    destructive: true,
    input: Input,
    output: EffectReply,
    handler: (input, context) =>
      runEffect(deps, 'git_restore', input, context, (planning) => planRestore(planning, input)),
  });
}

async function planRestore({ repository, id, earlier }: PlanContext, input: Input): Promise<EffectPlan | Refusal> {
  const busy = await checkIdle(repository);
  if (busy !== undefined) return busy;
  const commit = input.from === undefined ? undefined : await resolveCommit(repository, earlier?.commit || input.from);
  if (commit !== undefined && 'failure' in commit) return commit;
  const source = commit?.id;
  const changed = await changedPaths(repository, input.paths, source);
  if ('failure' in changed) return changed;
  if (changed.length === 0 && earlier === undefined) {
    return param(
      `Nothing differs at ${JSON.stringify(input.paths.slice(0, 5))}.`,
      'git_status of git-read shows what changed.',
      'nothing-to-do',
    );
  }
  const blocked = await checkRestorable(repository, changed, source);
  if (blocked !== undefined) return blocked;
  const described = { summary: `Restored: ${countFiles(changed.length)}.`, items: changed.map(showPath) };
  return {
    described,
    facts: { commit: source ?? '' },
    act: async () => {
      const failed = (await keepFiles(repository, id, changed)) ?? (await restore(repository, changed, source));
      return failed ?? { keptId: id };
    },
  };
}

/** Tracked files that differ from the index or a commit. */
async function changedPaths(
  repository: Repository,
  paths: readonly string[],
  source: string | undefined,
): Promise<string[] | Refusal> {
  const checked = checkPaths(paths);
  if ('failure' in checked) return checked;
  const result = await repository.run([
    'diff',
    ...rawDiffFlags,
    ...(source === undefined ? [] : [source]),
    '--',
    ...checked.specs,
  ]);
  if (result.exitCode !== 0) return explainFailure(repository, result);
  return readRawChanges(result.stdout).flatMap(({ path, nested }) => (nested ? [] : [path]));
}

/** Refuses what cannot be overwritten and kept whole. */
export async function checkRestorable(
  repository: Repository,
  paths: readonly string[],
  source: string | undefined,
): Promise<Refusal | undefined> {
  if (paths.length > mostFiles) {
    return param(
      `${paths.length} files differ; at most ${mostFiles} are restored at once.`,
      'Name fewer paths.',
      'too-many-files',
    );
  }
  const guarded = paths.map(showPath).filter(isProtectedPath);
  if (guarded.length > 0) {
    return param(
      `Secret files are not restored by tools: ${guarded.slice(0, 5).join(', ')}.`,
      'Leave them out.',
      'path-refused',
    );
  }
  return refuseFiltered(await filteredPaths(repository, paths, source), 'the restored files');
}

/** By git, which makes line ends and encodings as attributes want them; all at once. */
async function restore(
  repository: Repository,
  paths: readonly string[],
  source: string | undefined,
): Promise<Refusal | undefined> {
  if (paths.length === 0) return undefined;
  const from = source === undefined ? [] : [`--source=${source}`];
  const args = [
    'restore',
    '--quiet',
    '--worktree',
    '--no-recurse-submodules',
    ...from,
    '--pathspec-from-file=-',
    '--pathspec-file-nul',
  ];
  return act(repository, args, { input: pathBytes(paths), environment: { GIT_LITERAL_PATHSPECS: '1' } });
}
