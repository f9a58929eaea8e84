import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repository } from './find-repository.ts';
import { type GitOptions, type GitResult, runGit } from './run-git.ts';

/** Content as it is, byte for byte: no line-end conversion, filter, encoding or driver that a repository asks for. */
const attributes = '* -text -ident -filter -working-tree-encoding !diff !merge !eol\n';

/** What an atomic write that was cut off leaves beside its file; never part of a snapshot or a diff. */
const temporaryFiles = '.capstan-*.tmp';

/**
 * A git folder of a session's own, with its own objects and index. The checkout's `.git` is only read, as files:
 * its index for the list of tracked paths, its ignore rules, and (as alternates) its objects.
 */
export class PrivateGit {
  private readonly gitFolder: string;
  private readonly searchPath: string;

  constructor(folder: string, searchPath: string) {
    this.gitFolder = join(folder, 'git');
    this.searchPath = searchPath;
  }

  async create(repository: Repository): Promise<void> {
    await mkdir(join(this.gitFolder, 'objects', 'info'), { recursive: true, mode: 0o700 });
    await mkdir(join(this.gitFolder, 'refs'), { recursive: true });
    await mkdir(join(this.gitFolder, 'info'), { recursive: true });
    await writeFile(join(this.gitFolder, 'HEAD'), 'ref: refs/heads/capstan\n');
    await writeFile(join(this.gitFolder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n');
    await writeFile(join(this.gitFolder, 'info', 'attributes'), attributes);
    await writeFile(
      join(this.gitFolder, 'objects', 'info', 'alternates'),
      `${join(repository.commonFolder, 'objects')}\n`,
    );
    const exclude = (await readRegularFile(join(repository.commonFolder, 'info', 'exclude'))) ?? Buffer.alloc(0);
    await writeFile(
      join(this.gitFolder, 'info', 'exclude'),
      Buffer.concat([exclude, Buffer.from(`\n${temporaryFiles}\n`)]),
    );
  }

  /** Runs git on `workTree`, with the index of that name. */
  run(args: readonly string[], workTree: string, index: string, more: Partial<GitOptions> = {}): Promise<GitResult> {
    return runGit(args, {
      gitFolder: this.gitFolder,
      workTree,
      indexFile: join(this.gitFolder, index),
      searchPath: this.searchPath,
      ...more,
    });
  }

  /** The tree id of a checkout as it is now: tracked, changed and untracked files, but not ignored ones. */
  async snapshotCheckout(repository: Repository): Promise<string> {
    const tracked = await this.trackedPaths(repository);
    return this.withIndex('index.checkout', false, async (index) => {
      await this.addAll(repository.root, index);
      // Tracked files that an ignore rule matches are part of the checkout too.
      await this.run(['update-index', '--add', '--remove', '-z', '--stdin'], repository.root, index, {
        input: tracked,
        accept: [0, 128],
      });
      return this.writeTree(repository.root, index);
    });
  }

  /**
   * Works on an index of its own and then puts it in the place of `name`: what was cut off leaves no lock that stands in
   * the way, and two readers do not meet. With `keep`, it starts from what is there, whose file states save hashing.
   */
  async withIndex<Result>(name: string, keep: boolean, work: (index: string) => Promise<Result>): Promise<Result> {
    const index = `${name}.${randomUUID()}`;
    const path = join(this.gitFolder, index);
    try {
      if (keep) await copyFile(join(this.gitFolder, name), path).catch(unlessMissing);
      const result = await work(index);
      await rename(path, join(this.gitFolder, name)).catch(unlessMissing);
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
  async addAll(workTree: string, index: string): Promise<void> {
    await this.run(['add', '--all', '--ignore-errors', '--', '.'], workTree, index, { accept: [0, 1, 128] });
    const listed = await this.run(['ls-files', '-z', '--cached', '--stage'], workTree, index);
    const nested = stagedPaths(listed.stdout, (mode) => mode === nestedMode);
    if (nested.length > 0) {
      await this.run(['update-index', '--force-remove', '-z', '--stdin'], workTree, index, { input: nested });
    }
  }

  async writeTree(workTree: string, index: string): Promise<string> {
    return text(await this.run(['write-tree'], workTree, index));
  }

  private async trackedPaths(repository: Repository): Promise<Buffer> {
    const index = await readRegularFile(join(repository.gitFolder, 'index'));
    if (index === undefined) return Buffer.alloc(0);
    const names = await readdir(repository.gitFolder);
    for (const shared of names.filter((name) => name.startsWith('sharedindex.'))) {
      const bytes = await readRegularFile(join(repository.gitFolder, shared));
      if (bytes) await writeFile(join(this.gitFolder, shared), bytes);
    }
    return this.withIndex('index.user', false, async (copy) => {
      await writeFile(join(this.gitFolder, copy), index);
      const listed = await this.run(['ls-files', '-z', '--cached', '--stage'], repository.root, copy);
      return stagedPaths(listed.stdout, (mode) => mode !== nestedMode);
    });
  }
}

const nestedMode = '160000';

/** Paths of an index listing by their mode, each once: unmerged paths are listed up to three times. */
function stagedPaths(listing: Buffer, wanted: (mode: string) => boolean): Buffer {
  const paths = new Set<string>();
  // Latin-1 keeps every byte: names need not be valid UTF-8.
  for (const row of listing.toString('latin1').split('\0')) {
    const tab = row.indexOf('\t');
    if (tab > 0 && wanted(row.slice(0, 6))) paths.add(row.slice(tab + 1));
  }
  return Buffer.from([...paths].map((path) => `${path}\0`).join(''), 'latin1');
}

/** Larger than the index of a million files. Bytes. */
const largest = 512 * 1024 * 1024;

/** The bytes of a file of somebody else's folder; undefined when there is none, or when reading it might not end. */
async function readRegularFile(path: string): Promise<Buffer | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() && found.size <= largest ? readFile(path) : undefined;
}

function unlessMissing(cause: NodeJS.ErrnoException): void {
  if (cause.code !== 'ENOENT') throw cause;
}

/** Standard output without the last line end. */
export function text(result: GitResult): string {
  return result.stdout.toString('utf8').trimEnd();
}
