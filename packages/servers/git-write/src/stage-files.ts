import { filteredPaths, pathBytes, type StatusEntry, showPath } from '@capstan/git-repository';
import { defineTool, param, type Tool } from '@capstan/tool-server';
import { isSecretPath, type Refusal } from '@capstan/workspace';
import { z } from 'zod';
import { act, readEntries, refuseFiltered } from './checks.ts';
import { type EffectDeps, type EffectPlan, type PlanContext, runEffect } from './effect.ts';
import { countFiles, EffectReply } from './effect-reply.ts';
import { dryRunInput, pathsInput, repositoryInput } from './inputs.ts';

const Input = z.strictObject({ repository: repositoryInput, paths: pathsInput, dryRun: dryRunInput });

/** The tool that brings files into the index. */
export function stageFilesTool(deps: EffectDeps): Tool {
  return defineTool({
    name: 'git_stage',
    title: 'Stage files',
    description: `Brings changed, new and deleted files into the index for the next commit: all of them or none. Use it before git_commit. \
Ignored and secret files, submodules and nested repositories are left out, and the reply says so; files that go through a content filter (Git LFS) are refused. To take files out again use git_unstage.`,
    tier: 'write',
    idempotent: true,
    input: Input,
    output: EffectReply,
    handler: (input, context) =>
      runEffect(deps, 'git_stage', input, context, (planning) => planStage(planning, input.paths)),
  });
}

async function planStage({ repository }: PlanContext, paths: readonly string[]): Promise<EffectPlan | Refusal> {
  const entries = await readEntries(repository, paths);
  if ('failure' in entries) return entries;
  const changed = entries.filter(({ unstaged }) => unstaged !== undefined);
  const { taken, notes } = sortOut(changed);
  if (taken.length === 0) {
    const why = notes.length === 0 ? '' : ` ${notes.join('. ')}.`;
    return param(
      `Nothing to stage at ${JSON.stringify(paths.slice(0, 5))}.${why}`,
      'git_status of git-read shows what changed.',
      'nothing-to-do',
    );
  }
  const present = taken.filter(({ unstaged }) => unstaged !== 'deleted').map(({ path }) => path);
  const filtered = refuseFiltered(await filteredPaths(repository, present), 'what is committed');
  if (filtered !== undefined) return filtered;
  const input = pathBytes(taken.map(({ path }) => path));
  return {
    described: {
      summary: `Staged: ${countFiles(taken.length)}.`,
      items: taken.map(({ path, unstaged }) => `${unstaged}: ${showPath(path)}`),
      notes,
    },
    act: async () =>
      (await act(repository, ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], { input })) ?? {},
  };
}

function sortOut(entries: readonly StatusEntry[]): {
  readonly taken: readonly StatusEntry[];
  readonly notes: readonly string[];
} {
  const secrets = entries.filter(({ path }) => isSecretPath(showPath(path)));
  const nested = entries.filter((entry) => entry.nested && !secrets.includes(entry));
  const name = (some: readonly StatusEntry[]) =>
    some
      .slice(0, 10)
      .map(({ path }) => showPath(path))
      .join(', ');
  return {
    taken: entries.filter((entry) => !secrets.includes(entry) && !nested.includes(entry)),
    notes: [
      ...(secrets.length === 0 ? [] : [`Secret files are left out: ${name(secrets)}`]),
      ...(nested.length === 0 ? [] : [`Repositories of their own are left out: ${name(nested)}`]),
    ],
  };
}

/** The tool that takes files out of the index. */
export function unstageFilesTool(deps: EffectDeps): Tool {
  return defineTool({
    name: 'git_unstage',
    title: 'Unstage files',
    description: `Takes changes out of the index again; the files themselves stay as they are. Use it for what git_stage took by mistake. What differed only in the index is lost with it. To take changes of the files back use git_restore.`,
    tier: 'write',
    idempotent: true,
    input: Input,
    output: EffectReply,
    handler: (input, context) =>
      runEffect(deps, 'git_unstage', input, context, (planning) => planUnstage(planning, input.paths)),
  });
}

async function planUnstage(
  { repository, earlier }: PlanContext,
  paths: readonly string[],
): Promise<EffectPlan | Refusal> {
  const entries = await readEntries(repository, paths);
  if ('failure' in entries) return entries;
  const staged = entries.filter((entry) => entry.staged !== undefined);
  if (staged.length === 0 && earlier === undefined) {
    return param(
      `Nothing is staged at ${JSON.stringify(paths.slice(0, 5))}.`,
      'git_status of git-read shows what is.',
      'nothing-to-do',
    );
  }
  const described = {
    summary: `No longer staged: ${countFiles(staged.length)}.`,
    items: staged.map((entry) => `${entry.staged}: ${showPath(entry.path)}`),
  };
  if (staged.length === 0) return { described, act: undefined };
  const input = pathBytes(staged.map(({ path }) => path));
  return {
    described,
    act: async () => {
      const args = ['reset', '--quiet', '--pathspec-from-file=-', '--pathspec-file-nul'];
      return (await act(repository, args, { input, environment: { GIT_LITERAL_PATHSPECS: '1' } })) ?? {};
    },
  };
}
