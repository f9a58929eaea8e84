import { checkPaths, explainFailure, type Repository, resolveCommit } from '@capstan/git-repository';
import { defineTool, type Tool } from '@capstan/tool-server';
import type { Refusal } from '@capstan/workspace';
import { z } from 'zod';
import { shownBytes } from './page-lines.ts';
import { Commit, commitFormat, readCommits, showCommit } from './read-commits.ts';
import { type OpenReader, pathsInput, repositoryInput } from './repository-reader.ts';
import { revisionInput } from './revision-input.ts';

const description = `Lists commits, newest first, with message, author and date. Use it to find when and why something changed, by path, author, words of the message or time. \
Shows 20 commits unless told, at most 24 KiB, and says how to go on (skip). Messages over 2,000 characters are cut. For what a commit changed use git_show; for who wrote a line git_blame.`;

const Input = z.strictObject({
  repository: repositoryInput,
  revision: revisionInput('Where to start, e.g. "main"').default('HEAD'),
  notIn: revisionInput('Leave out what this one has too, e.g. "main" to see what a branch adds').optional(),
  allBranches: z.boolean().default(false).describe('Start from every branch and tag, e.g. true'),
  paths: pathsInput,
  author: z.string().min(1).max(200).optional().describe('Part of name or address, e.g. "ann@example.org"'),
  message: z.string().min(1).max(200).optional().describe('Text in the message, any case, e.g. "fix login"'),
  since: z.string().min(1).max(60).optional().describe('Not older than, e.g. "2026-01-31" or "2 weeks ago"'),
  until: z.string().min(1).max(60).optional().describe('Not newer than, e.g. "2026-02-28"'),
  firstParent: z.boolean().default(false).describe('Follow merges only along their first parent, e.g. true'),
  skip: z.number().int().min(0).max(10_000_000).default(0).describe('Commits to pass over, e.g. 20'),
  limit: z.number().int().min(1).max(200).default(20).describe('Most commits to show, e.g. 50'),
});
type Input = z.infer<typeof Input>;

/** The tool that lists history. */
export function listCommitsTool(open: OpenReader): Tool {
  return defineTool({
    name: 'git_log',
    title: 'List commits',
    description,
    tier: 'read',
    idempotent: true,
    input: Input,
    output: z.strictObject({
      commits: z.array(Commit),
      nextSkip: z.number().optional().describe('skip to go on with; not set at the end'),
    }),
    handler: (input, context) =>
      open(input.repository, context, async (repository) => {
        const args = await argumentsOf(repository, input);
        if ('failure' in args) return args;
        const result = await repository.run(args);
        if (result.exitCode !== 0) return explainFailure(repository, result);
        const found = readCommits(result.stdout);
        const commits = fitting(found.slice(0, input.limit));
        const nextSkip = commits.length < found.length ? input.skip + commits.length : undefined;
        const lines = commits.map(showCommit);
        if (commits.length === 0) lines.push('No commit fits.');
        if (nextSkip !== undefined) lines.push(`(more: go on with skip ${nextSkip})`);
        if (repository.isShallow) lines.push('(shallow clone: older commits are not in it)');
        return { text: lines.join('\n'), structured: { commits, ...(nextSkip === undefined ? {} : { nextSkip }) } };
      }),
  });
}

async function argumentsOf(repository: Repository, input: Input): Promise<string[] | Refusal> {
  const paths = checkPaths(input.paths);
  if ('failure' in paths) return paths;
  const start = input.allBranches ? undefined : await resolveCommit(repository, input.revision);
  if (start !== undefined && 'failure' in start) return start;
  const less = input.notIn === undefined ? undefined : await resolveCommit(repository, input.notIn);
  if (less !== undefined && 'failure' in less) return less;
  const option = (name: string, value: string | undefined) => (value === undefined ? [] : [`--${name}=${value}`]);
  return [
    ...['log', '-z', `--format=${commitFormat}`, '--no-color', '--no-show-signature', '--encoding=UTF-8'],
    ...[`--skip=${input.skip}`, `--max-count=${input.limit + 1}`],
    ...['--fixed-strings', '--regexp-ignore-case'],
    ...option('author', input.author),
    ...option('grep', input.message),
    ...option('since', input.since),
    ...option('until', input.until),
    ...(input.firstParent ? ['--first-parent'] : []),
    ...(start === undefined ? ['--branches', '--tags', '--remotes'] : [start.id]),
    ...(less === undefined ? [] : [`^${less.id}`]),
    '--',
    ...paths.specs,
  ];
}

/** As many commits as fit, at least one. */
function fitting(commits: readonly Commit[]): Commit[] {
  let bytes = 0;
  const end = commits.findIndex((commit, index) => {
    bytes += Buffer.byteLength(JSON.stringify(commit));
    return bytes > shownBytes && index > 0;
  });
  return end < 0 ? [...commits] : commits.slice(0, end);
}
