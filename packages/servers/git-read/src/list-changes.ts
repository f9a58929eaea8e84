import {
  type ChangedPath,
  checkPaths,
  excludePath,
  explainFailure,
  LinePager,
  type Repository,
  readRawChanges,
  showPath,
} from '@capstan/git-repository';
import { isSecretPath, type Refusal, refuse } from '@capstan/workspace';
import { z } from 'zod';
import { pageOutput, shownBytes, type TextPage } from './page-lines.ts';

/** What is compared, as arguments of `git diff` without options that say how. */
export interface Comparison {
  readonly selection: readonly string[];
  readonly paths: readonly string[];
  readonly contextLines?: number;
  readonly ignoreSpace?: boolean;
}

/** Nothing that a repository could name is run, and the form does not depend on settings. */
const base = [
  ...['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=dirty', '--submodule=short'],
  ...['--find-renames', '--no-relative', '--src-prefix=a/', '--dst-prefix=b/'],
];

export const FileChange = z.strictObject({
  path: z.string(),
  change: z.enum(['added', 'modified', 'deleted', 'renamed', 'copied', 'type-changed', 'unmerged']),
  from: z.string().optional().describe('Its earlier path'),
  hidden: z.boolean().optional().describe('True for secret files: their content is not shown'),
});
export type FileChange = z.infer<typeof FileChange>;

/** More files are counted and not named. */
export const mostListed = 200;
/** More exclusions do not fit on a command line. */
const mostHidden = 500;

/** Which files differ. */
export async function listChanges(
  repository: Repository,
  comparison: Comparison,
): Promise<readonly ChangedPath[] | Refusal> {
  const paths = checkPaths(comparison.paths);
  if ('failure' in paths) return paths;
  const args = [...base, '--raw', '-z', '--no-abbrev', ...comparison.selection, '--', ...paths.specs];
  const result = await repository.run(args);
  return result.exitCode === 0 ? readRawChanges(result.stdout) : explainFailure(repository, result);
}

/** The patch, or the table of changed lines, from one line on; contents of secret files are left out. */
export async function readPatch(
  repository: Repository,
  comparison: Comparison,
  form: 'patch' | 'stat',
  changes: readonly ChangedPath[],
  fromLine: number,
): Promise<TextPage | Refusal> {
  const paths = checkPaths(comparison.paths);
  if ('failure' in paths) return paths;
  const hidden = changes.filter(isHidden).flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  if (hidden.length > mostHidden) return tooManySecrets();
  const specs = paths.specs.length === 0 && hidden.length > 0 ? [':(top)'] : paths.specs;
  const how = form === 'patch' ? ['--patch', `--unified=${comparison.contextLines ?? 3}`] : ['--stat=200'];
  const space = comparison.ignoreSpace ? ['--ignore-all-space'] : [];
  const pager = new LinePager(fromLine, shownBytes);
  const args = [...base, ...how, ...space, ...comparison.selection, '--', ...specs, ...hidden.map(excludePath)];
  const result = await repository.run(args, { takeOutput: (chunk) => pager.take(chunk) });
  const page = pager.page();
  if (result.exitCode !== 0 && page.nextLine === undefined) return explainFailure(repository, result);
  return pageOutput(page);
}

function isHidden({ path, from }: ChangedPath): boolean {
  return isSecretPath(showPath(path)) || (from !== undefined && isSecretPath(showPath(from)));
}

export function describeChange(change: ChangedPath): FileChange {
  const { path, from, change: kind } = change;
  return {
    path: showPath(path),
    change: kind,
    ...(from === undefined ? {} : { from: showPath(from) }),
    ...(isHidden(change) ? { hidden: true } : {}),
  };
}

/** What a reader has to know of the files that are listed or left out. */
export function notesOf(changes: readonly ChangedPath[]): string[] {
  const hidden = changes.filter(isHidden).map(({ path }) => showPath(path));
  const notes =
    hidden.length === 0 ? [] : [`Contents of secret files are not shown: ${hidden.slice(0, 10).join(', ')}`];
  if (changes.length > mostListed) notes.push(`${changes.length} files differ; the list has the first ${mostListed}`);
  return notes;
}

function tooManySecrets(): Refusal {
  return refuse(
    'too-many-secrets',
    `More than ${mostHidden} secret files differ; they cannot all be left out.`,
    'Name the paths that you want to see.',
  );
}
