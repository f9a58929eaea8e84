import { lstat, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { explainFailure, filteredPaths, linkParts, type Repository, resolveCommit } from '@capstan/git-repository';
import { defineTool, param, type Tool } from '@capstan/tool-server';
import { type Refusal, readRegularFile } from '@capstan/workspace';
import { z } from 'zod';
import { checkName } from './branches.ts';
import { act, branchCommit, readEntries, refuseFiltered } from './checks.ts';
import { type EffectDeps, type EffectPlan, type PlanContext, runEffect } from './effect.ts';
import { EffectReply } from './effect-reply.ts';
import { branchInput, dryRunInput, repositoryInput, revisionInput } from './inputs.ts';

const common = { tier: 'write', idempotent: true, output: EffectReply } as const;

const nameInput = z
  .string()
  .max(80)
  .regex(/^[\p{L}\p{N}_][\p{L}\p{N}._-]*$/u, 'must be letters, digits, dots, dashes')
  .describe('Name of the worktree, e.g. "fix-sum"');

/** The tool that lists worktrees. */
export function listWorktreesTool(deps: EffectDeps): Tool {
  return defineTool({
    ...common,
    tier: 'read',
    name: 'git_worktrees',
    title: 'List worktrees',
    description: `Lists the folders in which branches are checked out. Use it to find where a worktree lies. Changes nothing. For all branches use git_branches of git-read.`,
    input: z.strictObject({ repository: repositoryInput }),
    handler: ({ repository }, context) =>
      runEffect(deps, 'git_worktrees', { repository, dryRun: false }, { ...context, callId: undefined }, planList),
  });
}

async function planList({ repository }: PlanContext): Promise<EffectPlan | Refusal> {
  const items = await listWorktrees(repository);
  if ('failure' in items) return items;
  const shown = items.map(({ folder, branch, head }) => `${folder} ${branch ?? 'detached'} ${head.slice(0, 12)}`);
  return { described: { summary: `Worktrees: ${items.length}.`, items: shown }, act: undefined };
}

interface Worktree {
  readonly folder: string;
  readonly branch: string | undefined;
  readonly head: string;
}

async function listWorktrees(repository: Repository): Promise<Worktree[] | Refusal> {
  const result = await repository.run(['worktree', 'list', '--porcelain', '-z']);
  if (result.exitCode !== 0) return explainFailure(repository, result);
  const { folder, root, gitFolder, commonFolder } = repository;
  const main = gitFolder === commonFolder ? root : dirname(commonFolder);
  const blocks = result.stdout
    .toString('utf8')
    .split('\0\0')
    .filter((block) => block !== '');
  return blocks.map((block) => {
    const field = (name: string) =>
      block
        .split('\0')
        .find((row) => row.startsWith(`${name} `))
        ?.slice(name.length + 1);
    return {
      // Git takes the main worktree for the folder above its common folder, which is ours here.
      folder: field('worktree') === folder ? main : (field('worktree') ?? ''),
      branch: field('branch')?.replace(/^refs\/heads\//, ''),
      head: field('HEAD') ?? '',
    };
  });
}

const AddInput = z.strictObject({
  repository: repositoryInput,
  name: nameInput,
  branch: branchInput,
  newFrom: revisionInput('Make the branch first, at this commit, e.g. "HEAD"; left out: it is there').optional(),
  dryRun: dryRunInput,
});

/** The tool that checks a branch out into a folder of its own. */
export function addWorktreeTool(deps: EffectDeps): Tool {
  return defineTool({
    ...common,
    name: 'git_add_worktree',
    title: 'Add a worktree',
    description: `Checks a branch out into a folder of its own; the reply says where. Use it to work on two branches at once. Not for branches that are checked out already, or with content filters (Git LFS). To work on one after the other use git_switch.`,
    input: AddInput,
    handler: (input, context) =>
      runEffect(deps, 'git_add_worktree', input, context, (planning) => planAdd(deps, planning, input)),
  });
}

async function planAdd(
  deps: EffectDeps,
  { repository, earlier }: PlanContext,
  input: z.infer<typeof AddInput>,
): Promise<EffectPlan | Refusal> {
  const folder = join(deps.worktrees, input.name);
  const listed = await listWorktrees(repository);
  if ('failure' in listed) return listed;
  const there = listed.find((worktree) => worktree.folder === folder);
  const summary = `${input.branch} is checked out in ${folder}.`;
  if (there === undefined && (await exists(folder)))
    return param(`There is already a folder ${input.name}.`, 'Give another name.', 'exists');
  if (there !== undefined && (earlier === undefined || there.branch !== input.branch)) {
    return param(`There is already a worktree ${input.name}.`, 'Give another name, or work in it.', 'exists');
  }
  const start = there === undefined ? await startOf(repository, input) : { id: there.head, isNew: false };
  if ('failure' in start) return start;
  const files = await repository.run(['ls-tree', '-r', '-z', '--name-only', '--full-tree', start.id]);
  if (files.exitCode !== 0) return explainFailure(repository, files);
  const paths = files.stdout
    .toString('latin1')
    .split('\0')
    .filter((path) => path !== '');
  const filtered = refuseFiltered(await filteredPaths(repository, paths, start.id), 'the files');
  if (filtered !== undefined) return filtered;
  return {
    described: { summary, items: [folder], commit: start.id },
    act: async () =>
      (there === undefined ? await addEmpty(repository, folder, input.branch, start) : undefined) ??
      fill(repository, folder),
  };
}

interface Start {
  readonly id: string;
  readonly isNew: boolean;
}

async function startOf(
  repository: Repository,
  { branch, newFrom }: z.infer<typeof AddInput>,
): Promise<Start | Refusal> {
  const present = await branchCommit(repository, branch);
  if (newFrom === undefined) {
    if (present !== undefined) return { id: present, isNew: false };
    return param(`There is no local branch ${JSON.stringify(branch)}.`, 'Give newFrom to make it.', 'not-found');
  }
  if (present !== undefined)
    return param(`There is already a branch ${branch}.`, 'Leave newFrom out to use it.', 'exists');
  const wrong = await checkName(repository, branch);
  if (wrong !== undefined) return wrong;
  const commit = await resolveCommit(repository, newFrom);
  return 'failure' in commit ? commit : { id: commit.id, isNew: true };
}

async function addEmpty(
  repository: Repository,
  folder: string,
  branch: string,
  start: Start,
): Promise<Refusal | undefined> {
  await linkWorktrees(repository);
  const what = start.isNew ? ['-b', branch, '--', folder, start.id] : ['--', folder, branch];
  return act(repository, ['worktree', 'add', '--quiet', '--no-checkout', '--no-guess-remote', ...what], noIndex);
}

/** A worktree has an index of its own. */
const noIndex = { environment: { GIT_INDEX_FILE: undefined } };

/** The folder in which git notes worktrees is part of the view only once it is there. */
async function linkWorktrees({ commonFolder, folder, searchPath }: Repository): Promise<void> {
  if (await exists(join(folder, 'worktrees'))) return;
  await mkdir(join(commonFolder, 'worktrees'), { recursive: true });
  await linkParts(commonFolder, ['worktrees'], folder, searchPath);
}

/** Git would start another git for it, with an index of its choice: so the files are written by a call of ours. */
async function fill(repository: Repository, folder: string): Promise<Record<string, never> | Refusal> {
  const worktree = await openWorktree(repository, folder);
  if ('failure' in worktree) return worktree;
  await writeFile(join(folder, '.git'), `gitdir: ${worktree.gitFolder}\n`);
  return (await act(worktree, ['reset', '--quiet', '--hard', '--no-recurse-submodules'])) ?? {};
}

async function openWorktree(repository: Repository, folder: string): Promise<Repository | Refusal> {
  const { commonFolder } = repository;
  const text = (await readRegularFile(join(folder, '.git')))?.toString('utf8') ?? '';
  // The path leads through a view, which is gone when its call has ended: the name in it is what counts.
  const gitFolder = join(commonFolder, 'worktrees', basename(/^gitdir: (.+)$/m.exec(text)?.[1]?.trim() ?? ''));
  const back = (await readRegularFile(join(gitFolder, 'gitdir')))?.toString('utf8').trim();
  if (back === join(folder, '.git')) return repository.inWorktree(gitFolder, folder);
  return param('The folder is no worktree of this repository.', 'A person has to look at it.', 'corrupt-repository');
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/** The tool that removes a worktree. */
export function removeWorktreeTool(deps: EffectDeps): Tool {
  return defineTool({
    ...common,
    name: 'git_remove_worktree',
    title: 'Remove a worktree',
    description: `Removes the folder of a worktree that git_add_worktree made; its branch stays. Use it when the work there is committed. Refused while the folder has changes or untracked files; ignored files go with it. To delete the branch too use git_delete_branch.`,
    destructive: true,
    input: z.strictObject({ repository: repositoryInput, name: nameInput, dryRun: dryRunInput }),
    handler: (input, context) =>
      runEffect(deps, 'git_remove_worktree', input, context, (planning) => planRemove(deps, planning, input.name)),
  });
}

async function planRemove(
  deps: EffectDeps,
  { repository, earlier }: PlanContext,
  name: string,
): Promise<EffectPlan | Refusal> {
  const folder = join(deps.worktrees, name);
  const listed = await listWorktrees(repository);
  if ('failure' in listed) return listed;
  const described = { summary: `The worktree ${name} is removed.`, items: [folder] };
  if (!listed.some((worktree) => worktree.folder === folder)) {
    if (earlier !== undefined) return { described, act: undefined };
    return param(
      `There is no worktree ${JSON.stringify(name)} of this server.`,
      'git_worktrees lists them.',
      'not-found',
    );
  }
  const worktree = await openWorktree(repository, folder);
  if ('failure' in worktree) return worktree;
  const entries = await readEntries(worktree, []);
  if ('failure' in entries) return entries;
  if (entries.length > 0) {
    return param(
      `The worktree ${name} has ${entries.length} changed or untracked files.`,
      'Commit or remove them first.',
      'local-changes',
    );
  }
  const args = ['worktree', 'remove', '--force', '--', folder];
  return { described, act: async () => (await act(repository, args, noIndex)) ?? {} };
}
