import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { explainFailure, type Repository, showPath } from '@capstan/git-repository';
import { type Refusal, readFileInside } from '@capstan/workspace';

/** Where commits that hold what was taken away are kept from being collected. */
const refOf = (id: string) => `refs/capstan/kept/${id}`;

/** Commits of ours say so. */
const ours = ['user.name=Capstan', 'user.email=capstan@localhost', 'i18n.commitEncoding=UTF-8'];

/** What was kept before files were overwritten. */
export interface KeptFiles {
  readonly id: string;
  readonly files: readonly { readonly path: string; readonly blob: string; readonly executable: boolean }[];
  /** Paths at which there was no file. */
  readonly absent: readonly string[];
}

/**
 * Keeps files byte for byte as they are now, in a commit under `refs/capstan/kept/`. An id that was used before is left as it
 * is: what it holds was there first.
 */
export async function keepFiles(
  repository: Repository,
  id: string,
  paths: readonly string[],
): Promise<Refusal | undefined> {
  if (paths.length === 0 || (await refCommit(repository, id)) !== undefined) return undefined;
  const rows: string[] = [];
  const absent: string[] = [];
  for (const path of paths) {
    const row = await keepOne(repository, path);
    if (typeof row === 'object') return row;
    if (row === undefined) absent.push(path);
    else rows.push(row);
  }
  const indexFile = join(repository.folder, 'index.kept');
  const input = Buffer.from(rows.join(''), 'latin1');
  const steps = await repository.run(['update-index', '-z', '--index-info'], { indexFile, input });
  if (steps.exitCode !== 0) return explainFailure(repository, steps);
  const tree = await repository.run(['write-tree'], { indexFile });
  if (tree.exitCode !== 0) return explainFailure(repository, tree);
  const message = `Kept before files were overwritten\n\n${JSON.stringify({ absent })}\n`;
  const made = await repository.run(['commit-tree', tree.stdout.toString('latin1').trim()], {
    input: message,
    settings: ours,
  });
  if (made.exitCode !== 0) return explainFailure(repository, made);
  return keepCommit(repository, id, made.stdout.toString('latin1').trim());
}

/** Keeps a commit from being collected. */
export async function keepCommit(repository: Repository, id: string, commit: string): Promise<Refusal | undefined> {
  const result = await repository.run(['update-ref', refOf(id), commit]);
  return result.exitCode === 0 ? undefined : explainFailure(repository, result);
}

/** What `keepFiles` kept under an id; undefined when nothing is. */
export async function readKept(repository: Repository, id: string): Promise<KeptFiles | undefined | Refusal> {
  const commit = await refCommit(repository, id);
  if (commit === undefined) return undefined;
  const listed = await repository.run(['ls-tree', '-r', '-z', '--full-tree', commit]);
  if (listed.exitCode !== 0) return explainFailure(repository, listed);
  const message = await repository.run(['log', '-1', '--format=%b', commit, '--']);
  const files = listed.stdout
    .toString('latin1')
    .split('\0')
    .flatMap((row) => {
      const match = /^(\d+) blob (\S+)\t(.*)$/s.exec(row);
      return match === null ? [] : [{ path: match[3] ?? '', blob: match[2] ?? '', executable: match[1] === '100755' }];
    });
  return { id, files, absent: readAbsent(message.stdout.toString('utf8')) };
}

/** The bytes of a kept file. */
export async function keptContent(repository: Repository, blob: string): Promise<Buffer | Refusal> {
  const result = await repository.run(['cat-file', 'blob', blob]);
  return result.exitCode === 0 ? result.stdout : explainFailure(repository, result);
}

/** A row for `update-index --index-info`; undefined when there is no file. */
async function keepOne(repository: Repository, path: string): Promise<string | undefined | Refusal> {
  const place = Buffer.concat([Buffer.from(`${repository.root}/`), Buffer.from(path, 'latin1')]);
  const found = await lstat(place).catch(() => undefined);
  if (found === undefined) return undefined;
  const content = await readFileInside(repository.root, showPath(path));
  if ('failure' in content) return content;
  const hashed = await repository.run(['hash-object', '-w', '--stdin', '--no-filters'], { input: content.bytes });
  if (hashed.exitCode !== 0) return explainFailure(repository, hashed);
  const mode = (content.mode & 0o100) === 0 ? '100644' : '100755';
  return `${mode} ${hashed.stdout.toString('latin1').trim()}\t${path}\0`;
}

async function refCommit(repository: Repository, id: string): Promise<string | undefined> {
  if (!/^[0-9a-f]{20}$/.test(id)) return undefined;
  const result = await repository.run(['rev-parse', '--verify', '--quiet', `${refOf(id)}^{commit}`]);
  return result.exitCode === 0 ? result.stdout.toString('latin1').trim() : undefined;
}

function readAbsent(body: string): readonly string[] {
  const { absent } = JSON.parse(body.trim() || '{}') as { absent?: readonly string[] };
  return absent ?? [];
}
