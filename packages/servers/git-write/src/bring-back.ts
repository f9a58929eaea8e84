import { type Repository, showPath } from '@capstan/git-repository';
import { defineTool, param, type Tool } from '@capstan/tool-server';
import { checkWritable, isRefusal, type Refusal, removeFileInside, writeFileAtomically } from '@capstan/workspace';
import { z } from 'zod';
import { type EffectDeps, type EffectPlan, type PlanContext, runEffect } from './effect.ts';
import { countFiles, EffectReply } from './effect-reply.ts';
import { dryRunInput, repositoryInput } from './inputs.ts';
import { type KeptFiles, keepFiles, keptContent, readKept } from './keep-files.ts';

/** The tool that undoes a restore or a reset. */
export function bringBackTool(deps: EffectDeps): Tool {
  return defineTool({
    name: 'git_bring_back',
    title: 'Bring back what was overwritten',
    description: `Brings files back byte for byte as they were before git_restore (or git_reset). Use it when that was a mistake. What is there now is kept in turn. Not for the index, branches or links: they stay as they are. To make a deleted branch again use git_create_branch.`,
    tier: 'write',
    idempotent: true,
    destructive: true,
    input: z.strictObject({
      repository: repositoryInput,
      keptId: z.string().max(40).describe('From the reply of git_restore or git_reset, e.g. "1f3a5c7e9b2d4f6a8c0e"'),
      dryRun: dryRunInput,
    }),
    output: EffectReply,
    handler: (input, context) =>
      runEffect(deps, 'git_bring_back', input, context, (planning) => planBringBack(planning, input.keptId)),
  });
}

async function planBringBack({ repository, id }: PlanContext, keptId: string): Promise<EffectPlan | Refusal> {
  const kept = await readKept(repository, keptId);
  if (kept === undefined) {
    return param(
      `Nothing is kept under ${JSON.stringify(keptId)}.`,
      'Give the keptId from the reply of git_restore or git_reset.',
      'not-found',
    );
  }
  if ('failure' in kept) return kept;
  const paths = [...kept.files.map(({ path }) => path), ...kept.absent];
  for (const path of paths) {
    const blocked = await checkWritable(repository.root, showPath(path));
    if (blocked !== undefined) return blocked;
  }
  return {
    described: { summary: `As they were: ${countFiles(paths.length)}.`, items: paths.map(showPath) },
    act: async () => (await keepFiles(repository, id, paths)) ?? (await writeKept(repository, kept)) ?? { keptId: id },
  };
}

async function writeKept(repository: Repository, { id, files, absent }: KeptFiles): Promise<Refusal | undefined> {
  for (const { path, blob, executable } of files) {
    const content = await keptContent(repository, blob);
    if (isRefusal(content)) return content;
    const mode = executable ? 0o755 : 0o644;
    const written = await writeFileAtomically(repository.root, showPath(path), content, { token: id, mode });
    if ('failure' in written) return written;
  }
  for (const path of absent) {
    const removed = await removeFileInside(repository.root, showPath(path), {});
    if ('failure' in removed && removed.failure.code !== 'not-found') return removed;
  }
  return undefined;
}
