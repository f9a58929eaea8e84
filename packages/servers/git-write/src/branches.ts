import {
  explainFailure,
  filteredPaths,
  type Repository,
  readRawChanges,
  resolveCommit,
  showPath,
} from '@capstan/git-repository';
import { defineTool, param, type Tool } from '@capstan/tool-server';
import { type Refusal, refuse } from '@capstan/workspace';
import { z } from 'zod';
import { act, branchCommit, checkIdle, currentBranch, headOf, refuseFiltered } from './checks.ts';
import { type EffectDeps, type EffectPlan, type PlanContext, runEffect } from './effect.ts';
import { EffectReply } from './effect-reply.ts';
import { branchInput, dryRunInput, repositoryInput, revisionInput } from './inputs.ts';
import { keepCommit } from './keep-files.ts';

const common = { tier: 'write', idempotent: true, output: EffectReply } as const;
const BranchOnly = z.strictObject({ repository: repositoryInput, branch: branchInput, dryRun: dryRunInput });

/** The tool that makes a branch. */
export function createBranchTool(deps: EffectDeps): Tool {
  return defineTool({
    ...common,
    name: 'git_create_branch',
    title: 'Create a branch',
    description: `Makes a branch at a commit, by default the current one, without switching to it. Use it to begin work that shall be kept apart, then git_switch. An existing branch is never moved.`,
    input: z.strictObject({
      repository: repositoryInput,
      branch: branchInput,
      at: revisionInput('Commit to start from, e.g. "main"').default('HEAD'),
      dryRun: dryRunInput,
    }),
    handler: (input, context) =>
      runEffect(deps, 'git_create_branch', input, context, ({ repository, earlier }) =>
        planCreate(repository, input.branch, input.at, earlier),
      ),
  });
}

async function planCreate(
  repository: Repository,
  branch: string,
  at: string,
  earlier: PlanContext['earlier'],
): Promise<EffectPlan | Refusal> {
  const wrong = await checkName(repository, branch);
  if (wrong !== undefined) return wrong;
  const commit = await resolveCommit(repository, earlier?.commit ?? at);
  if ('failure' in commit) return commit;
  const { id } = commit;
  const described = { summary: `The branch ${branch} is at ${id.slice(0, 12)}.`, items: [branch], commit: id };
  const present = await branchCommit(repository, branch);
  if (present === id && earlier !== undefined) return { described, act: undefined };
  if (present !== undefined) {
    return param(
      `There is already a branch ${branch}, at ${present.slice(0, 12)}.`,
      'Give another name, or git_switch to it.',
      'exists',
    );
  }
  const args = [
    'update-ref',
    '--create-reflog',
    '-m',
    'branch: created',
    `refs/heads/${branch}`,
    id,
    '0'.repeat(id.length),
  ];
  return { described, facts: { commit: id }, act: async () => (await act(repository, args)) ?? {} };
}

export async function checkName(repository: Repository, branch: string): Promise<Refusal | undefined> {
  const result = await repository.run(['check-ref-format', `refs/heads/${branch}`]);
  if (result.exitCode === 0 && branch !== 'HEAD') return undefined;
  return param(
    `${JSON.stringify(branch)} cannot be the name of a branch.`,
    'Use letters, digits, dashes and slashes, e.g. "fix/sum".',
  );
}

/** The tool that checks a branch out. */
export function switchBranchTool(deps: EffectDeps): Tool {
  return defineTool({
    ...common,
    name: 'git_switch',
    title: 'Switch to a branch',
    description: `Checks an existing branch out: files and index become those of the branch. Use it after git_create_branch. Changes that are not committed are carried along where they do not stand in the way; else it is refused and nothing changes. \
Submodules and content filters (Git LFS) are not touched. For two branches side by side use git_add_worktree.`,
    input: BranchOnly,
    handler: (input, context) =>
      runEffect(deps, 'git_switch', input, context, ({ repository, earlier }) =>
        planSwitch(repository, input.branch, earlier !== undefined),
      ),
  });
}

async function planSwitch(repository: Repository, branch: string, again: boolean): Promise<EffectPlan | Refusal> {
  const target = await branchCommit(repository, branch);
  if (target === undefined) return noBranch(branch);
  const current = await currentBranch(repository);
  if (current === branch) {
    if (!again) return param(`${branch} is the current branch already.`, 'Go on with it.', 'nothing-to-do');
    return { described: { summary: `${branch} is the current branch.`, items: [], commit: target }, act: undefined };
  }
  const busy = await checkIdle(repository);
  if (busy !== undefined) return busy;
  const head = await headOf(repository);
  const changed = head === '' ? [] : await pathsBetween(repository, head, target);
  if ('failure' in changed) return changed;
  const filtered = refuseFiltered(await filteredPaths(repository, changed, target), 'the files');
  if (filtered !== undefined) return filtered;
  // The same merge of two trees that a switch makes, without writing anything.
  const trial = await repository.run(['read-tree', '--dry-run', '-m', '-u', ...(head === '' ? [] : [head]), target]);
  if (trial.exitCode !== 0) return inTheWay(repository, trial);
  const described = {
    summary: `${branch} is the current branch${current === undefined ? '' : `, after ${current}`}.`,
    items: changed.map(showPath),
    commit: target,
  };
  const args = ['switch', '--quiet', '--no-guess', '--no-recurse-submodules', '--no-overwrite-ignore', branch];
  return { described, act: async () => (await act(repository, args)) ?? {} };
}

function inTheWay(repository: Repository, result: Awaited<ReturnType<Repository['run']>>): Refusal {
  const path = /Entry '(.*)' (?:not uptodate|would be overwritten)|Untracked working tree file '(.*)' would/s.exec(
    result.stderr,
  );
  if (path === null) return explainFailure(repository, result);
  return refuse(
    'local-changes',
    `${JSON.stringify(path[1] ?? path[2])} has changes that are not committed and would be lost. Nothing was done.`,
    'Commit it first, or take it back with git_restore (which keeps what it takes away).',
  );
}

/** Paths that differ between two commits. */
export async function pathsBetween(
  repository: Repository,
  from: string,
  to: string,
): Promise<readonly string[] | Refusal> {
  const result = await repository.run(['diff-tree', '-r', '--raw', '-z', '--no-renames', '--no-abbrev', from, to]);
  return result.exitCode === 0
    ? readRawChanges(result.stdout).map(({ path }) => path)
    : explainFailure(repository, result);
}

/** The tool that deletes a branch that is merged; with `force` the dangerous one that deletes any. */
export function deleteBranchTool(deps: EffectDeps): Tool {
  return defineTool({
    ...common,
    name: 'git_delete_branch',
    title: 'Delete a merged branch',
    description: `Deletes a local branch whose commits are all in the current one. Use it when its work has been merged. The reply has its commit, with which git_create_branch makes it again. Refused for other branches: those a person has to let go (git_delete_unmerged_branch).`,
    destructive: true,
    input: BranchOnly,
    handler: (input, context) =>
      runEffect(deps, 'git_delete_branch', input, context, (planning) => planDelete(planning, input.branch, false)),
  });
}

/** The dangerous tool that deletes a branch with commits that are nowhere else. */
export function deleteUnmergedBranchTool(deps: EffectDeps): Tool {
  return defineTool({
    ...common,
    tier: 'dangerous',
    name: 'git_delete_unmerged_branch',
    title: 'Delete an unmerged branch',
    description: `Deletes a local branch even if its commits are in no other one. Use it only when a person wants its work gone. Its last commit is kept under refs/capstan/kept, and the reply names it for git_create_branch. For merged branches use git_delete_branch.`,
    input: BranchOnly,
    handler: (input, context) =>
      runEffect(deps, 'git_delete_unmerged_branch', input, context, (planning) =>
        planDelete(planning, input.branch, true),
      ),
  });
}

async function planDelete(
  { repository, id, earlier }: PlanContext,
  branch: string,
  unmerged: boolean,
): Promise<EffectPlan | Refusal> {
  const commit = await branchCommit(repository, branch);
  const gone = { summary: `The branch ${branch} is deleted.`, items: [branch] };
  if (commit === undefined && earlier?.commit !== undefined)
    return { described: { ...gone, commit: earlier.commit }, act: undefined };
  if (commit === undefined) return noBranch(branch);
  if ((await currentBranch(repository)) === branch) {
    return param(`${branch} is the current branch.`, 'git_switch to another one first.', 'in-use');
  }
  const merged = await repository.run(['merge-base', '--is-ancestor', commit, 'HEAD']);
  if (merged.exitCode !== 0 && !unmerged) {
    return param(
      `${branch} has commits that the current branch lacks (${commit.slice(0, 12)}).`,
      'Switch to the branch that has them, or let a person delete it.',
      'not-merged',
    );
  }
  return {
    described: { ...gone, commit },
    facts: { commit },
    act: async () => {
      const kept = unmerged ? await keepCommit(repository, id, commit) : undefined;
      return kept ?? (await act(repository, ['branch', '--quiet', '-D', '--', branch])) ?? {};
    },
  };
}

function noBranch(branch: string): Refusal {
  return param(
    `There is no local branch ${JSON.stringify(branch)}.`,
    'git_branches of git-read lists them; git_create_branch makes one.',
    'not-found',
  );
}
