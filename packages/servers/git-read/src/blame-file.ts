import { explainFailure, literalPath, type Repository, resolveCommit } from '@capstan/git-repository';
import { defineTool, type Tool } from '@capstan/tool-server';
import { checkRelativePath, isSecretPath, type Refusal, readFileInside } from '@capstan/workspace';
import { z } from 'zod';
import { pageLines, showPage } from './page-lines.ts';
import { BlamedLine, readBlame, showBlamedLine } from './read-blame.ts';
import { type OpenReader, repositoryInput } from './repository-reader.ts';
import { revisionInput } from './revision-input.ts';
import { secret } from './show-commit.ts';

const description = `Says for each line of a file which commit last changed it, who, and when. Use it to find out why a line is as it is; then git_show of that commit. \
Up to 500 lines per call. Without revision the file is taken as it is, and lines that are not committed yet are marked so. Not for secret, binary or untracked files. For a file's whole history use git_log with paths.`;

const Input = z.strictObject({
  repository: repositoryInput,
  path: z.string().min(1).max(4000).describe('File, relative to the repository, e.g. "src/sum.mjs"'),
  revision: revisionInput('Take the file as it was then, e.g. "main"').optional(),
  fromLine: z.number().int().min(1).default(1).describe('First line, e.g. 40'),
  count: z.number().int().min(1).max(500).default(100).describe('How many lines, e.g. 20'),
  ignoreSpace: z.boolean().default(false).describe('Look through changes of white space, e.g. true'),
});
type Input = z.infer<typeof Input>;

/** The tool that says where lines come from. */
export function blameFileTool(open: OpenReader): Tool {
  return defineTool({
    name: 'git_blame',
    title: 'Say where lines come from',
    description,
    tier: 'read',
    idempotent: true,
    input: Input,
    output: z.strictObject({
      lines: z.array(BlamedLine),
      nextLine: z.number().optional().describe('fromLine to go on with; not set when all was shown'),
      notes: z.array(z.string()),
    }),
    handler: (input, context) =>
      open(input.repository, context, async (repository) => {
        const checked = checkRelativePath(input.path);
        if ('failure' in checked) return checked;
        if (isSecretPath(checked.path)) return secret(input.path);
        const output = await runBlame(repository, checked.path, input);
        if ('failure' in output) return output;
        const { lines, encodings } = readBlame(output.stdout);
        const notes = encodings.map((name) => `Not all of it is UTF-8: the rest was read as ${name}.`);
        const page = pageLines(lines.map(showBlamedLine), 1);
        const shown = page.nextLine === undefined ? lines : lines.slice(0, page.nextLine - 1);
        const nextLine = shown.length < lines.length ? input.fromLine + shown.length : undefined;
        return {
          text: showPage(`== ${checked.path}`, { ...page, nextLine }, notes),
          structured: { lines: shown, ...(nextLine === undefined ? {} : { nextLine }), notes },
        };
      }),
  });
}

async function runBlame(
  repository: Repository,
  path: string,
  { revision, fromLine, count, ignoreSpace }: Input,
): Promise<{ readonly stdout: Buffer } | Refusal> {
  const flags = ['blame', '--porcelain', '-L', `${fromLine},+${count}`, ...(ignoreSpace ? ['-w'] : [])];
  const commit = revision === undefined ? undefined : await resolveCommit(repository, revision);
  if (commit !== undefined && 'failure' in commit) return commit;
  if (commit !== undefined) return answer(repository, await repository.run([...flags, commit.id, '--', path]));
  // Git would read the file itself, and follow a folder that became a link out of the workspace.
  const content = await readFileInside(repository.root, path);
  if ('failure' in content) return content;
  const isTracked = await repository.run(['ls-files', '--error-unmatch', '-z', '--', literalPath(path)]);
  if (isTracked.exitCode !== 0) {
    return {
      failure: {
        level: 'param',
        code: 'not-found',
        message: `${JSON.stringify(path)} is not tracked by git.`,
        hint: 'git_status lists untracked files.',
      },
    };
  }
  const now = await repository.run([...flags, '--contents', '-', '--', path], { input: content.bytes });
  return answer(repository, now);
}

function answer(
  repository: Repository,
  result: Awaited<ReturnType<Repository['run']>>,
): { readonly stdout: Buffer } | Refusal {
  return result.exitCode === 0 ? { stdout: result.stdout } : explainFailure(repository, result);
}
