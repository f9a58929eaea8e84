import { explainFailure, type Repository, showPath } from '@capstan/git-repository';
import { defineTool, param, type Tool } from '@capstan/tool-server';
import { isSecretPath, type Refusal } from '@capstan/workspace';
import { z } from 'zod';
import { act, checkIdle, currentBranch, headOf, readEntries } from './checks.ts';
import { type EffectDeps, type EffectPlan, type PlanContext, runEffect, unknownOutcome } from './effect.ts';
import { countFiles, type Described, EffectReply } from './effect-reply.ts';
import { IdentityInput, identitySettings } from './identity.ts';
import { dryRunInput, messageInput, repositoryInput } from './inputs.ts';

const Input = z.strictObject({
  repository: repositoryInput,
  message: messageInput,
  identity: IdentityInput,
  dryRun: dryRunInput,
});
type Input = z.infer<typeof Input>;

/** The tool that makes a commit. */
export function commitIndexTool(deps: EffectDeps): Tool {
  return defineTool({
    name: 'git_commit',
    title: 'Commit',
    description: `Makes one commit of what is staged, on the current branch; it also ends a merge whose conflicts are staged. Use it after git_stage. \
Hooks, signing and editors are never run. Refused while secret files are staged, or a rebase is under way. To change the last commit a person has to enable git_amend.`,
    tier: 'write',
    idempotent: true,
    input: Input,
    output: EffectReply,
    handler: (input, context) =>
      runEffect(deps, 'git_commit', input, context, (planning) => planCommit(deps, planning, input)),
  });
}

async function planCommit(deps: EffectDeps, planning: PlanContext, input: Input): Promise<EffectPlan | Refusal> {
  const { repository, earlier } = planning;
  const head = await headOf(repository);
  if (earlier !== undefined && earlier.head !== head) return findMade(repository, head, earlier, [earlier.head ?? '']);
  const busy = await checkIdle(repository, ['merge']);
  if (busy !== undefined) return busy;
  // A merge may end with what the current branch had.
  const isMerge = (await checkIdle(repository)) !== undefined;
  const staged = await readStaged(repository, isMerge);
  if ('failure' in staged) return staged;
  const identity = identitySettings(repository, input.identity, deps.identity);
  if ('failure' in identity) return identity;
  const branch = await currentBranch(repository);
  const tree = input.dryRun ? '' : await writeTree(repository);
  if (typeof tree !== 'string') return tree;
  const described = {
    summary: `Committed ${branch === undefined ? 'on a detached HEAD' : `on ${branch}`}: ${countFiles(staged.length)}.`,
    items: staged,
  };
  return { described, facts: { head, tree }, act: () => makeCommit(repository, input.message, identity, []) };
}

/** Runs `git commit` with the message on standard input, and gives the new commit. */
export async function makeCommit(
  repository: Repository,
  message: string,
  identity: readonly string[],
  more: readonly string[],
): Promise<Partial<Described> | Refusal> {
  const args = [
    'commit',
    '--quiet',
    '--file=-',
    '--cleanup=whitespace',
    '--no-verify',
    '--no-gpg-sign',
    '--no-status',
    ...more,
  ];
  const settings = [...identity, 'i18n.commitEncoding=UTF-8'];
  const failed = await act(repository, args, { input: message, settings });
  return failed ?? { commit: await headOf(repository) };
}

/** What is staged, for a commit; refused when there is nothing, a conflict, or a secret file. */
export async function readStaged(repository: Repository, mayBeNothing: boolean): Promise<string[] | Refusal> {
  const entries = await readEntries(repository, []);
  if ('failure' in entries) return entries;
  const conflicts = entries.filter(({ unstaged }) => unstaged === 'in conflict').map(({ path }) => showPath(path));
  if (conflicts.length > 0) {
    return param(
      `Files are in conflict: ${conflicts.slice(0, 10).join(', ')}.`,
      'Resolve and stage them first.',
      'in-conflict',
    );
  }
  const staged = entries.filter((entry) => entry.staged !== undefined);
  const secrets = staged.map(({ path }) => showPath(path)).filter(isSecretPath);
  if (secrets.length > 0) {
    return param(
      `Secret files are staged: ${secrets.slice(0, 10).join(', ')}. They are not committed by tools.`,
      'Take them out with git_unstage, or let a person commit.',
      'path-refused',
    );
  }
  if (staged.length === 0 && !mayBeNothing) {
    return param('Nothing is staged.', 'Stage files with git_stage first.', 'nothing-to-do');
  }
  return staged.map((entry) => `${entry.staged}: ${showPath(entry.path)}`);
}

async function writeTree(repository: Repository): Promise<string | Refusal> {
  const result = await repository.run(['write-tree']);
  return result.exitCode === 0 ? result.stdout.toString('latin1').trim() : explainFailure(repository, result);
}

/** After a crash: whether HEAD is the commit that the earlier process was about to make. */
export async function findMade(
  repository: Repository,
  head: string,
  earlier: Readonly<Record<string, string>>,
  parents: readonly string[],
): Promise<EffectPlan | Refusal> {
  const result = await repository.run(['log', '-1', '--format=%T%x00%P', head, '--']);
  const [tree = '', found = ''] = result.stdout.toString('latin1').trim().split('\0');
  const isOurs = tree === earlier.tree && found.split(' ')[0] === (parents[0] ?? '');
  if (result.exitCode === 0 && isOurs) {
    const described = { summary: 'The commit was made by an earlier process.', items: [], commit: head };
    return { described, act: undefined };
  }
  return unknownOutcome(
    'An earlier process died in the middle of this commit, and since then somebody else has moved the branch.',
    'A person has to look at the history; nothing was changed now.',
  );
}
