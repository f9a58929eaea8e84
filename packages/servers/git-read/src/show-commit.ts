import { explainFailure, type Repository, resolveCommit, showPath } from '@capstan/git-repository';
import { defineTool, type Tool, type ToolReply } from '@capstan/tool-server';
import { checkRelativePath, decodeText, foldLineEnds, isSecretPath, type Refusal, refuse } from '@capstan/workspace';
import { z } from 'zod';
import { describeChange, FileChange, listChanges, mostListed, notesOf, readPatch } from './list-changes.ts';
import { pageLines, showPage } from './page-lines.ts';
import { Commit, commitFormat, readCommits, showCommit } from './read-commits.ts';
import { fromLineInput, type OpenReader, repositoryInput } from './repository-reader.ts';
import { revisionInput } from './revision-input.ts';

/** Larger files of the past are not read into memory. Bytes. */
const largestFile = 16 * 1024 * 1024;

const description = `Shows one commit with its message and patch (a merge against its first parent), or with path a file or folder as it was then. Use it after git_log, or to read an old version. \
Replies hold 24 KiB, cut at line ends, and say how to go on. Reads UTF-8, UTF-16, GBK and Latin-1; contents of secret and binary files and of files over 16 MiB are not shown. \
To compare two commits use git_diff.`;

const Input = z.strictObject({
  repository: repositoryInput,
  revision: revisionInput('Commit, branch or tag, e.g. "HEAD~2"').default('HEAD'),
  path: z.string().min(1).max(4000).optional().describe('File or folder to read as it was then, e.g. "src/sum.mjs"'),
  form: z.enum(['patch', 'stat']).default('patch').describe('The changed lines, or how many, e.g. "stat"'),
  fromLine: fromLineInput,
});
type Input = z.infer<typeof Input>;

/** The tool that shows a commit, or what it holds. */
export function showCommitTool(open: OpenReader): Tool {
  return defineTool({
    name: 'git_show',
    title: 'Show a commit or an old file',
    description,
    tier: 'read',
    idempotent: true,
    input: Input,
    output: z.strictObject({
      commit: Commit.optional(),
      files: z.array(FileChange).optional(),
      totalFiles: z.number().optional(),
      text: z.string().describe('Patch, table, file or list of a folder'),
      encoding: z.string().optional().describe('Of a file'),
      totalLines: z.number().optional().describe('Of a file or folder'),
      nextLine: z.number().optional().describe('fromLine to go on with; not set at the end'),
      notes: z.array(z.string()),
    }),
    handler: (input, context) =>
      open(input.repository, context, async (repository) => {
        const commit = await resolveCommit(repository, input.revision);
        if ('failure' in commit) return commit;
        return input.path === undefined
          ? replyWithCommit(repository, commit.id, input)
          : replyWithPath(repository, commit.id, input.path, input.fromLine);
      }),
  });
}

async function replyWithCommit(repository: Repository, id: string, { form, fromLine }: Input): Promise<ToolReply> {
  const args = ['log', '-z', '--max-count=1', `--format=${commitFormat}`, '--no-color', '--no-show-signature'];
  const result = await repository.run([...args, '--encoding=UTF-8', id, '--']);
  if (result.exitCode !== 0) return explainFailure(repository, result);
  const [commit] = readCommits(result.stdout);
  if (commit === undefined) return explainFailure(repository, result);
  const parent = commit.parents[0] ?? (await emptyTree(repository));
  const comparison = { selection: [parent, id], paths: [] };
  const changes = await listChanges(repository, comparison);
  if ('failure' in changes) return changes;
  const page = await readPatch(repository, comparison, form, changes, fromLine);
  if ('failure' in page) return page;
  const notes = notesOf(changes);
  const { text, nextLine } = page;
  return {
    text: showPage(`${showCommit(commit)}\n`, page, notes),
    structured: {
      commit,
      files: changes.slice(0, mostListed).map(describeChange),
      totalFiles: changes.length,
      text,
      ...(nextLine === undefined ? {} : { nextLine }),
      notes: [...notes, ...page.notes],
    },
  };
}

/** What the first commit is compared with: its id depends on the hash of the repository. */
async function emptyTree(repository: Repository): Promise<string> {
  const result = await repository.run(['hash-object', '-t', 'tree', '--stdin']);
  return result.stdout.toString('latin1').trim();
}

async function replyWithPath(repository: Repository, id: string, given: string, fromLine: number): Promise<ToolReply> {
  const checked = checkRelativePath(given);
  if ('failure' in checked) return checked;
  const { path } = checked;
  if (isSecretPath(path)) return secret(given);
  const object = await findObject(repository, `${id}:${path === '.' ? '' : path}`, given);
  if ('failure' in object) return object;
  if (object.type === 'tree') return replyWithFolder(repository, object.id, path, fromLine);
  if (object.type !== 'blob')
    return refuse('not-a-file', `${JSON.stringify(given)} is a submodule.`, 'Name it as repository instead.');
  if (object.size > largestFile) {
    return refuse(
      'too-large',
      `${JSON.stringify(given)} had ${object.size} bytes then.`,
      'Use git_diff to see what changed in it.',
    );
  }
  const content = await repository.run(['cat-file', 'blob', object.id]);
  if (content.exitCode !== 0) return explainFailure(repository, content);
  const file = decodeText(content.stdout);
  if (file === undefined)
    return refuse('bad-argument', `${JSON.stringify(given)} was binary.`, 'There is no text to read in it.');
  const lines = foldLineEnds(file.text).text.replace(/\n$/, '').split('\n');
  const page = pageLines(lines, fromLine);
  return {
    text: showPage(`== ${path} at ${id.slice(0, 12)} (lines from ${fromLine} of ${lines.length})`, page),
    structured: {
      text: page.text,
      encoding: file.encoding,
      totalLines: lines.length,
      ...(page.nextLine === undefined ? {} : { nextLine: page.nextLine }),
      notes: [],
    },
  };
}

interface FoundObject {
  readonly id: string;
  readonly type: string;
  readonly size: number;
}

/** The first part is an id of ours: what stands after the colon is a path, whatever it looks like. */
async function findObject(repository: Repository, name: string, given: string): Promise<FoundObject | Refusal> {
  const parsed = await repository.run(['rev-parse', '--verify', '--quiet', '--end-of-options', name]);
  const id = parsed.stdout.toString('latin1').trim();
  if (parsed.exitCode !== 0 || !/^[0-9a-f]{40,64}$/.test(id)) {
    return refuse(
      'not-found',
      `There was no ${JSON.stringify(given)} in that commit.`,
      'git_show with path "." lists the folder.',
    );
  }
  const checked = await repository.run(['cat-file', '--batch-check'], { input: `${id}\n` });
  const [, type = 'missing', size = '0'] = checked.stdout.toString('latin1').trim().split(' ');
  if (checked.exitCode !== 0) return explainFailure(repository, checked);
  if (type !== 'missing') return { id, type, size: Number(size) };
  const isNested = !repository.isPartialClone && name.endsWith(`:${given}`) && (await isSubmodule(repository, name));
  return isNested
    ? { id, type: 'commit', size: 0 }
    : explainFailure(repository, { exitCode: 128, stderr: 'missing blob' });
}

async function isSubmodule(repository: Repository, name: string): Promise<boolean> {
  const at = name.indexOf(':');
  const listed = await repository.run(['ls-tree', '-z', '--full-tree', name.slice(0, at), '--', name.slice(at + 1)]);
  return listed.stdout.toString('latin1').startsWith('160000 ');
}

async function replyWithFolder(repository: Repository, id: string, path: string, fromLine: number): Promise<ToolReply> {
  const listed = await repository.run(['ls-tree', '-z', id]);
  if (listed.exitCode !== 0) return explainFailure(repository, listed);
  const rows = listed.stdout
    .toString('latin1')
    .split('\0')
    .filter((row) => row !== '');
  const lines = rows.map((row) => {
    const name = showPath(row.slice(row.indexOf('\t') + 1));
    return row.slice(7, 11) === 'tree' ? `${name}/` : name;
  });
  const page = pageLines(lines, fromLine);
  return {
    text: showPage(`== ${path} (${lines.length} entries)`, page),
    structured: {
      text: page.text,
      totalLines: lines.length,
      ...(page.nextLine === undefined ? {} : { nextLine: page.nextLine }),
      notes: [],
    },
  };
}

export function secret(path: string): Refusal {
  return refuse(
    'path-refused',
    `${JSON.stringify(path)} is a secret file (.env, keys, credentials): its content is not shown, nor what it once was.`,
    'Work without it; a template such as .env.example can be read.',
  );
}
