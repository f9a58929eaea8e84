import { explainFailure, type Repository, resolveCommit } from '@capstan/git-repository';
import { defineTool, param, type Tool } from '@capstan/tool-server';
import type { Refusal } from '@capstan/workspace';
import { z } from 'zod';
import {
  type Comparison,
  describeChange,
  FileChange,
  listChanges,
  mostListed,
  notesOf,
  readPatch,
} from './list-changes.ts';
import { showPage } from './page-lines.ts';
import { fromLineInput, type OpenReader, pathsInput, repositoryInput } from './repository-reader.ts';
import { revisionInput } from './revision-input.ts';

const description = `Shows what differs: files against the index (default), the index against a commit (staged), or two commits. Use it to review changes before or after committing. \
Replies hold 24 KiB of patch, cut at line ends, and say how to go on; form "stat" gives a table. Contents of secret files, untracked files and submodules are not shown. \
For untracked files use git_status; for one commit git_show.`;

const Input = z.strictObject({
  repository: repositoryInput,
  from: revisionInput('Commit to compare from, e.g. "main"').optional(),
  to: revisionInput('Commit to compare to, e.g. "HEAD"; left out: the files as they are').optional(),
  staged: z.boolean().default(false).describe('Compare the index instead of the files, e.g. true'),
  sinceFork: z.boolean().default(false).describe('Start where to left from, as reviews of a branch do, e.g. true'),
  paths: pathsInput,
  form: z.enum(['patch', 'stat']).default('patch').describe('The changed lines, or how many, e.g. "stat"'),
  contextLines: z.number().int().min(0).max(50).default(3).describe('Unchanged lines around each change, e.g. 10'),
  ignoreSpace: z.boolean().default(false).describe('Leave out changes of white space, e.g. true'),
  fromLine: fromLineInput,
});
type Input = z.infer<typeof Input>;

/** The tool that compares. */
export function showDiffTool(open: OpenReader): Tool {
  return defineTool({
    name: 'git_diff',
    title: 'Show differences',
    description,
    tier: 'read',
    idempotent: true,
    input: Input,
    output: z.strictObject({
      files: z.array(FileChange),
      totalFiles: z.number(),
      text: z.string().describe('Patch or table'),
      nextLine: z.number().optional().describe('fromLine to go on with; not set at the end'),
      notes: z.array(z.string()),
    }),
    handler: (input, context) =>
      open(input.repository, context, async (repository) => {
        const comparison = await comparisonOf(repository, input);
        if ('failure' in comparison) return comparison;
        const changes = await listChanges(repository, comparison);
        if ('failure' in changes) return changes;
        const page = await readPatch(repository, comparison, input.form, changes, input.fromLine);
        if ('failure' in page) return page;
        const notes = [...notesOf(changes), ...filterNotes(repository, input)];
        const heading = changes.length === 0 ? 'Nothing differs.' : `Files that differ: ${changes.length}.`;
        const { text, nextLine } = page;
        return {
          text: showPage(heading, page, notes),
          structured: {
            files: changes.slice(0, mostListed).map(describeChange),
            totalFiles: changes.length,
            text,
            ...(nextLine === undefined ? {} : { nextLine }),
            notes: [...notes, ...page.notes],
          },
        };
      }),
  });
}

async function comparisonOf(repository: Repository, input: Input): Promise<Comparison | Refusal> {
  const { paths, contextLines, ignoreSpace, staged } = input;
  const how = { paths, contextLines, ignoreSpace };
  if (input.to !== undefined && staged) return param('staged and to exclude each other.', 'Leave one of them out.');
  if (input.to !== undefined && input.from === undefined) return param('to was given without from.', 'Give from too.');
  const from = input.from === undefined ? undefined : await resolveCommit(repository, input.from);
  if (from !== undefined && 'failure' in from) return from;
  const to = input.to === undefined ? undefined : await resolveCommit(repository, input.to);
  if (to !== undefined && 'failure' in to) return to;
  const start = input.sinceFork && from !== undefined ? await forkOf(repository, from.id, to?.id ?? 'HEAD') : from;
  if (start !== undefined && 'failure' in start) return start;
  const commits = [start, to].flatMap((commit) => (commit === undefined ? [] : [commit.id]));
  return { ...how, selection: [...(staged ? ['--cached'] : []), ...commits] };
}

async function forkOf(repository: Repository, from: string, to: string): Promise<{ readonly id: string } | Refusal> {
  const result = await repository.run(['merge-base', from, to]);
  const id = result.stdout.toString('latin1').trim();
  if (result.exitCode === 0 && id !== '') return { id };
  if (result.stderr !== '') return explainFailure(repository, result);
  return param('The two have no commit in common.', 'Leave sinceFork out.');
}

/** Filters are never run, so that a file that is stored in another form than it has in the folder seems to differ. */
function filterNotes({ settings }: Repository, { to, staged }: Input): string[] {
  if (settings.filters.length === 0 || to !== undefined || staged) return [];
  return [`Content filters (${settings.filters.join(', ')}) are not run: files that go through them can seem changed`];
}
