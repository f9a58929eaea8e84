import { explainFailure, type Repository } from '@capstan/git-repository';
import { defineTool, param, type Tool } from '@capstan/tool-server';
import { type Refusal, refuse } from '@capstan/workspace';
import { z } from 'zod';
import { branchCommit, currentBranch } from './checks.ts';
import { type EffectDeps, type EffectPlan, type PlanContext, runEffect } from './effect.ts';
import { EffectReply } from './effect-reply.ts';
import { branchInput, dryRunInput, repositoryInput } from './inputs.ts';
import { checkRemoteUrl, shownUrl } from './remote-url.ts';

const common = { tier: 'dangerous', idempotent: true, openWorld: true, output: EffectReply } as const;

const shared = {
  repository: repositoryInput,
  remote: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[\p{L}\p{N}_][\p{L}\p{N}_./-]*$/u, 'must be the name of a remote')
    .default('origin')
    .describe('Name of the remote, e.g. "origin"'),
  branch: branchInput.optional(),
  dryRun: dryRunInput,
};

/** A push waits for a network. */
const longestMilliseconds = 10 * 60_000;

/** The dangerous tool that sends a branch to a remote. */
export function pushBranchTool(deps: EffectDeps): Tool {
  return defineTool({
    ...common,
    name: 'git_push',
    title: 'Push a branch',
    description: `Sends a branch, by default the current one, to the branch of the same name of a remote that the repository has. Use it only when a person wants the work published. Never overwrites commits of others. Only over https and ssh, without credential helpers; the dry run names the address and reaches no network. To replace published commits see git_force_push.`,
    input: z.strictObject(shared),
    handler: (input, context) =>
      runEffect(deps, 'git_push', input, context, (planning) => planPush(deps, planning, input, undefined)),
  });
}

/** The dangerous tool that replaces a published branch. */
export function forcePushTool(deps: EffectDeps): Tool {
  return defineTool({
    ...common,
    name: 'git_force_push',
    title: 'Replace a published branch',
    description: `Sends a branch to a remote and replaces what is there, only if the remote still has the commit that is expected. Use it only when a person wants published commits replaced. Over https and ssh alone; the dry run reaches no network. For everything else use git_push.`,
    input: z.strictObject({
      ...shared,
      expected: z
        .string()
        .regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/, 'must be a full commit id')
        .describe('Commit that the remote branch has now, e.g. "7d46463444104c0c8b1c2d3e4f5a6b7c8d9e0f1a"'),
    }),
    handler: (input, context) =>
      runEffect(deps, 'git_force_push', input, context, (planning) => planPush(deps, planning, input, input.expected)),
  });
}

async function planPush(
  deps: EffectDeps,
  { repository }: PlanContext,
  input: { readonly remote: string; readonly branch?: string | undefined },
  expected: string | undefined,
): Promise<EffectPlan | Refusal> {
  const branch = input.branch ?? (await currentBranch(repository));
  if (branch === undefined) return param('HEAD is detached: it is not said which branch to push.', 'Give branch.');
  const commit = await branchCommit(repository, branch);
  if (commit === undefined)
    return param(
      `There is no local branch ${JSON.stringify(branch)}.`,
      'git_branches of git-read lists them.',
      'not-found',
    );
  const urls = remoteUrls(repository, input.remote);
  if (urls.length === 0)
    return param(
      `There is no remote ${JSON.stringify(input.remote)}.`,
      'A person can add one with git remote add.',
      'not-found',
    );
  for (const url of urls) {
    const wrong = checkRemoteUrl(url, deps.pushProtocols);
    if (wrong !== undefined) return wrong;
  }
  const lease = expected === undefined ? [] : [`--force-with-lease=refs/heads/${branch}:${expected}`];
  const args = [
    'push',
    '--porcelain',
    '--no-verify',
    '--no-signed',
    '--recurse-submodules=no',
    ...lease,
    '--',
    input.remote,
  ];
  return {
    described: {
      summary: `${branch} (${commit.slice(0, 12)}) is pushed to ${input.remote}${expected === undefined ? '' : `, replacing ${expected.slice(0, 12)}`}.`,
      items: urls.map(shownUrl),
      commit,
    },
    act: () => push(deps, repository, [...args, `${commit}:refs/heads/${branch}`]),
  };
}

async function push(
  deps: EffectDeps,
  repository: Repository,
  args: readonly string[],
): Promise<Record<string, never> | Refusal> {
  const result = await repository.run(args, {
    longestMilliseconds,
    environment: {
      GIT_ALLOW_PROTOCOL: deps.pushProtocols.join(':'),
      // Nobody is there to be asked.
      GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
      SSH_AUTH_SOCK: deps.agentSocket,
    },
  });
  if (result.exitCode === 0) return {};
  const said = result.stdout.toString('utf8');
  if (/\[rejected\]|\[remote rejected\]|stale info/.test(said)) {
    const why = /\((fetch first|non-fast-forward|stale info|[^()\n]{1,200})\)/.exec(said)?.[1] ?? 'it said no more';
    return refuse(
      'push-rejected',
      `The remote refused it: ${why}.`,
      'A person has to fetch and look at what the remote has.',
    );
  }
  if (
    /Authentication|could not read (?:Username|Password)|Permission denied|terminal prompts disabled/i.test(
      result.stderr,
    )
  ) {
    return refuse(
      'no-credentials',
      'The remote wants credentials that this server does not have.',
      'A person can push, or start the server with an ssh agent.',
    );
  }
  return explainFailure(repository, result);
}

function remoteUrls({ settings }: Repository, remote: string): string[] {
  const values = (name: string) =>
    settings.kept.filter(({ key }) => key === `remote.${remote}.${name}`).map(({ value }) => value);
  const pushed = values('pushurl');
  return pushed.length > 0 ? pushed : values('url');
}
