import {
  checkPaths,
  explainFailure,
  findUnderWay,
  readStatus,
  type StatusEntry,
  showPath,
} from '@capstan/git-repository';
import { defineTool, type Tool } from '@capstan/tool-server';
import { z } from 'zod';
import { pageLines, showPage } from './page-lines.ts';
import { fromLineInput, type OpenReader, pathsInput, repositoryInput } from './repository-reader.ts';

const description = `Shows the branch, what is staged, changed, untracked or in conflict, and whether a merge, rebase or the like is under way. Use it first, and before staging. \
Names only; 24 KiB per reply, then it says how to go on. Submodules are compared by their commit and never entered. For the changed lines use git_diff; for history git_log.`;

const Entry = z.strictObject({
  path: z.string(),
  staged: z.string().optional().describe('What the index has against HEAD'),
  unstaged: z.string().optional().describe('What the file has against the index'),
  from: z.string().optional().describe('Its earlier path'),
});

/** The tool that shows the state of the files. */
export function showStatusTool(open: OpenReader): Tool {
  return defineTool({
    name: 'git_status',
    title: 'Show status',
    description,
    tier: 'read',
    idempotent: true,
    input: z.strictObject({
      repository: repositoryInput,
      paths: pathsInput,
      untracked: z.boolean().default(true).describe('List files that git does not know yet, e.g. false'),
      fromLine: fromLineInput,
    }),
    output: z.strictObject({
      branch: z.string().optional().describe('Not set when HEAD is detached'),
      head: z.string().optional().describe('Commit; not set before the first one'),
      upstream: z.string().optional(),
      ahead: z.number().optional(),
      behind: z.number().optional(),
      underWay: z.array(z.string()),
      entries: z.array(Entry),
      total: z.number(),
      nextLine: z.number().optional(),
    }),
    handler: ({ repository: path, paths, untracked, fromLine }, context) =>
      open(path, context, async (repository) => {
        const specs = checkPaths(paths);
        if ('failure' in specs) return specs;
        const result = await repository.run([
          ...['status', '--porcelain=v2', '-z', '--branch', '--ignore-submodules=dirty', '--find-renames'],
          `--untracked-files=${untracked ? 'all' : 'no'}`,
          ...['--', ...specs.specs],
        ]);
        if (result.exitCode !== 0) return explainFailure(repository, result);
        const { entries, ...branch } = readStatus(result.stdout);
        const busy = await findUnderWay(repository);
        const page = pageLines(entries.map(showEntry), fromLine);
        const shown = page.nextLine === undefined ? undefined : page.nextLine - 1;
        return {
          text: showPage(showBranch(branch, busy, entries.length), page),
          structured: {
            ...branch,
            underWay: busy,
            entries: entries.slice(fromLine - 1, shown).map(describeEntry),
            total: entries.length,
            ...(page.nextLine === undefined ? {} : { nextLine: page.nextLine }),
          },
        };
      }),
  });
}

function showBranch(
  branch: Omit<ReturnType<typeof readStatus>, 'entries'>,
  busy: readonly string[],
  count: number,
): string {
  const name = branch.branch === undefined ? 'HEAD is detached' : `On branch ${branch.branch}`;
  const commit = branch.head === undefined ? 'no commit yet' : `at ${branch.head.slice(0, 12)}`;
  const track =
    branch.upstream === undefined
      ? ''
      : `, ${branch.upstream}${branch.ahead === undefined ? '' : ` (${branch.ahead} ahead, ${branch.behind} behind)`}`;
  const state = busy.length === 0 ? '' : ` Under way: ${busy.join(', ')}.`;
  return `${name}, ${commit}${track}.${state} ${count === 0 ? 'Nothing changed.' : `Files: ${count}.`}`;
}

function showEntry(entry: StatusEntry): string {
  const { path, staged, unstaged, from } = describeEntry(entry);
  const what = [staged === undefined ? '' : `staged ${staged}`, unstaged ?? '']
    .filter((part) => part !== '')
    .join(', ');
  return `${what}: ${oneLine(path)}${from === undefined ? '' : ` (from ${oneLine(from)})`}`;
}

function oneLine(path: string): string {
  return /[\p{Cc}"]/u.test(path) ? JSON.stringify(path) : path;
}

function describeEntry({ path, from, staged, unstaged }: StatusEntry): z.infer<typeof Entry> {
  return {
    path: showPath(path),
    ...(staged === undefined ? {} : { staged }),
    ...(unstaged === undefined ? {} : { unstaged }),
    ...(from === undefined ? {} : { from: showPath(from) }),
  };
}
