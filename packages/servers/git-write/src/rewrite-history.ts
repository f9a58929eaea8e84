import {
  explainFailure,
  type Repository,
  rawDiffFlags,
  readRawChanges,
  resolveCommit,
  showPath,
} from '@capstan/git-repository';
import { defineTool, param, type Tool } from '@capstan/tool-server';
import type { Refusal } from '@capstan/workspace';
import { z } from 'zod';
import { pathsBetween } from './branches.ts';
import { act, checkIdle, currentBranch, headOf, readEntries } from './checks.ts';
import { findMade, makeCommit, readStaged } from './commit-index.ts';
import { type EffectDeps, type EffectPlan, type PlanContext, runEffect } from './effect.ts';
import { EffectReply } from './effect-reply.ts';
import { IdentityInput, identitySettings } from './identity.ts';
import { dryRunInput, messageInput, repositoryInput, revisionInput } from './inputs.ts';
import { keepCommit, keepFiles } from './keep-files.ts';
import { checkRestorable } from './restore-files.ts';

const common = { tier: 'dangerous', idempotent: true, output: EffectReply } as const;

const ResetInput = z.strictObject({
  repository: repositoryInput,
  to: revisionInput('Commit to go to, e.g. "HEAD~1"'),
  dryRun: dryRunInput,
});

/** The dangerous tool that moves a branch, the index and the files to a commit. */
export function resetBranchTool(deps: EffectDeps): Tool {
  return defineTool({
    ...common,
    name: 'git_reset',
    title: 'Reset the branch',
    description: `Moves the current branch, the index and the files to a commit, as git reset --hard does. Use it only when a person wants history or changes gone. Changed files are kept for git_bring_back, and the reply names the old commit, to which git_reset leads back. What differed only in the index is lost. For single files use git_restore.`,
    input: ResetInput,
    handler: (input, context) =>
      runEffect(deps, 'git_reset', input, context, (planning) => planReset(planning, input.to)),
  });
}

async function planReset({ repository, id, earlier }: PlanContext, to: string): Promise<EffectPlan | Refusal> {
  const head = earlier?.head ?? (await headOf(repository));
  const target = await resolveCommit(repository, earlier?.target ?? to);
  if ('failure' in target) return target;
  const busy = await checkIdle(repository);
  if (busy !== undefined) return busy;
  const touched = await overwritten(repository, head, target.id);
  if ('failure' in touched) return touched;
  const blocked = await checkRestorable(repository, touched, target.id);
  if (blocked !== undefined) return blocked;
  const branch = (await currentBranch(repository)) ?? 'HEAD';
  return {
    described: {
      summary: `${branch} is at ${target.id.slice(0, 12)}; before it was at ${head}.`,
      items: touched.map(showPath),
      commit: target.id,
    },
    facts: { head, target: target.id },
    act: async () => {
      const kept = (await keepFiles(repository, id, touched)) ?? (await keepCommit(repository, oldHead(id), head));
      const failed =
        kept ?? (await act(repository, ['reset', '--quiet', '--hard', '--no-recurse-submodules', target.id]));
      return failed ?? (touched.length === 0 ? {} : { keptId: id });
    },
  };
}

/** Under another name than the files: both are kept. */
const oldHead = (id: string) => `${id}-head`;

/** Files in the folder that the reset would change or remove: tracked ones, and untracked ones that the commit has too. */
async function overwritten(repository: Repository, head: string, target: string): Promise<string[] | Refusal> {
  const tracked = await repository.run(['diff', ...rawDiffFlags, target]);
  if (tracked.exitCode !== 0) return explainFailure(repository, tracked);
  const between = head === '' ? [] : await pathsBetween(repository, head, target);
  if ('failure' in between) return between;
  const untracked = await readEntries(repository, ['.']);
  if ('failure' in untracked) return untracked;
  const inTarget = new Set(between);
  const covered = untracked.filter(({ unstaged, path }) => unstaged === 'untracked' && inTarget.has(path));
  const paths = readRawChanges(tracked.stdout).flatMap(({ path, nested }) => (nested ? [] : [path]));
  return [...new Set([...paths, ...covered.map(({ path }) => path)])];
}

const AmendInput = z.strictObject({
  repository: repositoryInput,
  message: messageInput,
  identity: IdentityInput,
  dryRun: dryRunInput,
});

/** The dangerous tool that replaces the last commit. */
export function amendCommitTool(deps: EffectDeps): Tool {
  return defineTool({
    ...common,
    name: 'git_amend',
    title: 'Amend the last commit',
    description: `Replaces the last commit by one with another message, and with what is staged added. Use it only for commits that nobody else has. The old commit is kept under refs/capstan/kept, and the reply names it: git_reset leads back. For a new commit use git_commit.`,
    input: AmendInput,
    handler: (input, context) =>
      runEffect(deps, 'git_amend', input, context, (planning) => planAmend(deps, planning, input)),
  });
}

async function planAmend(
  deps: EffectDeps,
  { repository, id, earlier }: PlanContext,
  input: z.infer<typeof AmendInput>,
): Promise<EffectPlan | Refusal> {
  const head = await headOf(repository);
  if (head === '') return param('There is no commit to amend.', 'Use git_commit.', 'no-commits');
  if (earlier !== undefined && earlier.head !== head)
    return findMade(repository, head, earlier, [earlier.parent ?? '']);
  const busy = await checkIdle(repository);
  if (busy !== undefined) return busy;
  const staged = await readStaged(repository, true);
  if ('failure' in staged) return staged;
  const identity = identitySettings(repository, input.identity, deps.identity);
  if ('failure' in identity) return identity;
  const parent = await repository.run(['log', '-1', '--format=%P', head, '--']);
  const tree = input.dryRun ? undefined : await repository.run(['write-tree']);
  if (tree !== undefined && tree.exitCode !== 0) return explainFailure(repository, tree);
  return {
    described: {
      summary: `The last commit is replaced; before it was ${head}.`,
      items: staged,
    },
    facts: {
      head,
      parent: parent.stdout.toString('latin1').trim().split(' ')[0] ?? '',
      tree: tree?.stdout.toString('latin1').trim() ?? '',
    },
    act: async () =>
      (await keepCommit(repository, oldHead(id), head)) ?? makeCommit(repository, input.message, identity, ['--amend']),
  };
}
