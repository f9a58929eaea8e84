import { explainFailure, resolveCommit } from '@capstan/git-repository';
import { defineTool, type Tool } from '@capstan/tool-server';
import { z } from 'zod';
import { pageLines, showPage } from './page-lines.ts';
import { fromLineInput, type OpenReader, repositoryInput } from './repository-reader.ts';
import { revisionInput } from './revision-input.ts';

const description = `Lists branches, remote branches and tags, latest first, with commit, date and subject, and marks the current one. Use it to find the name to give to git_log, git_diff or git_show. \
24 KiB per reply, then it says how to go on. Nothing is fetched: remote branches are as of the last fetch. For the state of the current branch use git_status.`;

const kinds = { branch: 'refs/heads', remote: 'refs/remotes', tag: 'refs/tags' } as const;
const Kind = z.enum(['branch', 'remote', 'tag']);

const Branch = z.strictObject({
  name: z.string(),
  kind: Kind,
  current: z.boolean(),
  commit: z.string(),
  date: z.string(),
  subject: z.string(),
  upstream: z.string().optional(),
});
type Branch = z.infer<typeof Branch>;

/** A ref name holds neither spaces nor NUL bytes; a tag of a tag is followed to its commit by `*`. */
const format = [
  ...['%(refname)', '%(HEAD)', '%(objectname)', '%(*objectname)', '%(creatordate:iso-strict)', '%(upstream:short)'],
  '%(contents:subject)',
].join('%00');
const fields = 7;

/** The tool that lists names of commits. */
export function listBranchesTool(open: OpenReader): Tool {
  return defineTool({
    name: 'git_branches',
    title: 'List branches and tags',
    description,
    tier: 'read',
    idempotent: true,
    input: z.strictObject({
      repository: repositoryInput,
      kinds: z.array(Kind).min(1).max(3).default(['branch', 'remote', 'tag']).describe('What to list, e.g. ["branch"]'),
      contains: revisionInput('Only those that have this commit, e.g. "HEAD~3"').optional(),
      fromLine: fromLineInput,
    }),
    output: z.strictObject({ branches: z.array(Branch), total: z.number(), nextLine: z.number().optional() }),
    handler: (input, context) =>
      open(input.repository, context, async (repository) => {
        const commit = input.contains === undefined ? undefined : await resolveCommit(repository, input.contains);
        if (commit !== undefined && 'failure' in commit) return commit;
        const result = await repository.run([
          ...['for-each-ref', '--sort=-creatordate', `--format=${format}%00`],
          ...(commit === undefined ? [] : [`--contains=${commit.id}`]),
          ...input.kinds.map((kind) => kinds[kind]),
        ]);
        if (result.exitCode !== 0) return explainFailure(repository, result);
        const branches = readBranches(result.stdout);
        const page = pageLines(branches.map(showBranch), input.fromLine);
        const { nextLine } = page;
        const heading = branches.length === 0 ? 'There is none.' : '';
        return {
          text: showPage(heading, page),
          structured: {
            branches: branches.slice(input.fromLine - 1, nextLine === undefined ? undefined : nextLine - 1),
            total: branches.length,
            ...(nextLine === undefined ? {} : { nextLine }),
          },
        };
      }),
  });
}

function readBranches(output: Buffer): Branch[] {
  const values = output.toString('utf8').split('\0');
  const branches: Branch[] = [];
  for (let at = 0; at + fields <= values.length; at += fields) {
    const [name = '', head = '', id = '', target = '', date = '', upstream = '', subject = ''] = values.slice(
      at,
      at + fields,
    );
    const full = name.trimStart();
    const kind = Kind.options.find((candidate) => full.startsWith(`${kinds[candidate]}/`)) ?? 'branch';
    branches.push({
      name: full.slice(kinds[kind].length + 1),
      kind,
      current: head === '*',
      commit: target === '' ? id : target,
      date,
      subject: subject.slice(0, 300),
      ...(upstream === '' ? {} : { upstream }),
    });
  }
  return branches;
}

function showBranch({ name, kind, current, commit, date, subject, upstream }: Branch): string {
  const what = kind === 'branch' ? '' : `${kind} `;
  const track = upstream === undefined ? '' : ` -> ${upstream}`;
  return `${current ? '* ' : ''}${what}${name}${track} ${commit.slice(0, 12)} ${date.slice(0, 10)} ${subject}`;
}
