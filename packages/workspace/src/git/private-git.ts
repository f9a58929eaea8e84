import { randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CapstanError } from '@capstan/contracts';
import { type AddProblems, readAddProblems } from './add-problems.ts';
import type { Repository } from './find-repository.ts';
import { type IndexEntry, nestedMode, pathList, readIndexListing } from './index-listing.ts';
import { readRegularFile } from './read-regular-file.ts';
import { type GitOptions, type GitResult, runGit } from './run-git.ts';
import { snapshotCheckout } from './snapshot-checkout.ts';
import { writeWhole } from './write-whole.ts';

/** Content as it is, byte for byte: no line-end conversion, filter, encoding or driver that a repository asks for. */
const attributes = '* -text -ident -filter -working-tree-encoding !diff !merge !eol\n';

/** What an atomic write that was cut off leaves beside its file; never part of a snapshot or a diff. */
const temporaryFiles = '.capstan-*.tmp';

/** What an index came to hold, and what could not be read. */
export interface AddOutcome {
  readonly entries: ReadonlyMap<string, IndexEntry>;
  /** Repositories inside the folder that are none of its own. */
  readonly nested: readonly string[];
  readonly unreadable: AddProblems['unreadable'];
}

export interface AddOptions {
  /** Further settings for git, `name=value`. */
  readonly settings?: readonly string[];
  /** Told how many files were read so far. */
  readonly onRead?: ((files: number) => void) | undefined;
}

/**
 * A git folder of our own, with its own objects and index. The checkout's `.git` is only read, as files: its index for the
 * list of tracked paths, and its ignore rules.
 */
export class PrivateGit {
  readonly folder: string;
  private readonly searchPath: string;
  private readonly signal: AbortSignal | undefined;

  constructor(folder: string, searchPath: string, signal?: AbortSignal) {
    this.folder = folder;
    this.searchPath = searchPath;
    this.signal = signal;
  }

  /** Makes the folder, or brings it up to date; safe while others work with it. */
  async create(repository: Repository, ignored: readonly string[] = []): Promise<void> {
    await mkdir(join(this.folder, 'objects', 'pack'), { recursive: true, mode: 0o700 });
    await mkdir(join(this.folder, 'refs'), { recursive: true });
    await mkdir(join(this.folder, 'info'), { recursive: true });
    const { commonFolder } = repository;
    const exclude = commonFolder && (await readRegularFile(join(commonFolder, 'info', 'exclude')));
    const lines = [...ignored, temporaryFiles].map((line) => `${line}\n`).join('');
    await writeWhole(join(this.folder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n');
    await writeWhole(join(this.folder, 'info', 'attributes'), attributes);
    await writeWhole(
      join(this.folder, 'info', 'exclude'),
      Buffer.concat([exclude || Buffer.alloc(0), Buffer.from(`\n${lines}`)]),
    );
    await writeWhole(join(this.folder, 'HEAD'), 'ref: refs/heads/capstan\n');
  }

  /** Runs git on `workTree`, with the index of that name. */
  run(args: readonly string[], workTree: string, index: string, more: Partial<GitOptions> = {}): Promise<GitResult> {
    return runGit(args, {
      gitFolder: this.folder,
      workTree,
      indexFile: join(this.folder, index),
      searchPath: this.searchPath,
      ...(this.signal ? { signal: this.signal } : {}),
      ...more,
    });
  }

  /** The tree id of a checkout as it is now: tracked, changed and untracked files, but not ignored ones. */
  async snapshotCheckout(repository: Repository): Promise<string> {
    return (await snapshotCheckout(this, repository)).tree;
  }

  /**
   * Works on an index of its own and then puts it in the place of `name`: what was cut off leaves no lock that stands in
   * the way, and two readers do not meet. With `keep`, it starts from what is there, whose file states save hashing.
   */
  async withIndex<Result>(name: string, keep: boolean, work: (index: string) => Promise<Result>): Promise<Result> {
    const index = `${name}.${randomUUID()}`;
    const path = join(this.folder, index);
    try {
      if (keep) await linkIndex(join(this.folder, name), path);
      const result = await work(index);
      await rename(path, join(this.folder, name)).catch(unlessMissing);
      return result;
    } finally {
      await rm(path, { force: true });
      await rm(`${path}.lock`, { force: true });
    }
  }

  /**
   * Brings everything that is not ignored into the index, but for nested repositories: asked about one that it knows, git
   * would start a second git inside it, which obeys the configuration that lies there. So none is ever in an index.
   */
  async addAll(workTree: string, index: string, options: AddOptions = {}): Promise<AddOutcome> {
    const { problems } = await this.addUntilStill(workTree, index, options);
    const entries = await this.entries(workTree, index);
    const nested = [...entries].filter(([, { mode }]) => mode === nestedMode).map(([path]) => path);
    for (const path of nested) entries.delete(path);
    await this.forget(nested, workTree, index);
    return { entries, nested, unreadable: problems.unreadable };
  }

  /** The same without listing what the index holds, which is half of the work where next to nothing changed. */
  async addChanges(workTree: string, index: string): Promise<void> {
    const { changed } = await this.addUntilStill(workTree, index, {});
    if (!changed) return;
    const entries = await this.entries(workTree, index);
    await this.forget(
      [...entries].filter(([, { mode }]) => mode === nestedMode).map(([path]) => path),
      workTree,
      index,
    );
  }

  async entries(workTree: string, index: string): Promise<Map<string, IndexEntry>> {
    return readIndexListing((await this.run(['ls-files', '-z', '--cached', '--stage'], workTree, index)).stdout);
  }

  /** Takes paths out of an index. */
  async forget(paths: readonly string[], workTree: string, index: string): Promise<void> {
    if (paths.length === 0) return;
    await this.run(['update-index', '--force-remove', '-z', '--stdin'], workTree, index, { input: pathList(paths) });
  }

  async writeTree(workTree: string, index: string): Promise<string> {
    return text(await this.run(['write-tree'], workTree, index));
  }

  /** A file that goes or shrinks while git reads it makes git give up: then it is asked again. */
  private async addUntilStill(
    workTree: string,
    index: string,
    { settings = [], onRead }: AddOptions,
  ): Promise<{ readonly problems: AddProblems; readonly changed: boolean }> {
    let changed = false;
    for (let time = 1; ; time += 1) {
      const added = await this.run(['add', '--all', '--ignore-errors', '--verbose', '--', '.'], workTree, index, {
        accept: [0, 1, 128],
        settings,
        ...(onRead ? { onOutput: countLines(onRead) } : {}),
      });
      const problems = readAddProblems(added.stderr);
      changed ||= added.stdout.length > 0;
      if (added.exitCode !== 128 && problems.failure === undefined) return { problems, changed };
      if (time === tries) {
        throw new CapstanError('storage-failed', `The files could not be copied: ${problems.failure ?? added.stderr}`, {
          hint: 'Look for a full disk, or for files that change all the time; then try again.',
        });
      }
      await sleep(time * 50);
    }
  }
}

const tries = 5;

/** With `--verbose`, git says a line for each file that it has read. */
function countLines(tell: (lines: number) => void): (chunk: Buffer) => void {
  let lines = 0;
  return (chunk) => {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
    tell(lines);
  };
}

/**
 * The same index under a second name. A link keeps the time at which it was written, by which git knows which files may
 * have changed in the same moment; git replaces an index and never writes into one. A copy is dated back to the full second.
 */
export async function linkIndex(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    const { mtimeMs } = await stat(from);
    await copyFile(from, to);
    const second = Math.floor(mtimeMs / 1000);
    await utimes(to, second, second);
  }
}

function unlessMissing(cause: NodeJS.ErrnoException): void {
  if (cause.code !== 'ENOENT') throw cause;
}

/** Standard output without the last line end. */
export function text(result: GitResult): string {
  return result.stdout.toString('utf8').trimEnd();
}
