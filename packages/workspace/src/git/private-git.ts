import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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
    const exclude = await readFile(join(repository.commonFolder, 'info', 'exclude')).catch(() => Buffer.alloc(0));
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
    const index = 'index.checkout';
    await rm(join(this.gitFolder, index), { force: true });
    const tracked = await this.trackedPaths(repository);
    await this.run(['add', '--all', '--ignore-errors', '--', '.'], repository.root, index, { accept: [0, 1] });
    // Tracked files that an ignore rule matches are part of the checkout too.
    await this.run(['update-index', '--add', '--remove', '-z', '--stdin'], repository.root, index, {
      input: tracked,
      accept: [0, 128],
    });
    return this.writeTree(repository.root, index);
  }

  async writeTree(workTree: string, index: string): Promise<string> {
    return text(await this.run(['write-tree'], workTree, index));
  }

  private async trackedPaths(repository: Repository): Promise<Buffer> {
    const copy = 'index.user';
    const names = await readdir(repository.gitFolder);
    if (!names.includes('index')) return Buffer.alloc(0);
    await copyFile(join(repository.gitFolder, 'index'), join(this.gitFolder, copy));
    for (const shared of names.filter((name) => name.startsWith('sharedindex.'))) {
      await copyFile(join(repository.gitFolder, shared), join(this.gitFolder, shared));
    }
    const listed = await this.run(['ls-files', '-z', '--cached', '--stage'], repository.root, copy);
    return regularPaths(listed.stdout);
  }
}

/** Paths of an index listing without submodules (mode 160000), each once: unmerged paths are listed up to three times. */
function regularPaths(listing: Buffer): Buffer {
  const paths = new Set<string>();
  // Latin-1 keeps every byte: names need not be valid UTF-8.
  for (const row of listing.toString('latin1').split('\0')) {
    const tab = row.indexOf('\t');
    if (tab > 0 && !row.startsWith('160000')) paths.add(row.slice(tab + 1));
  }
  return Buffer.from([...paths].map((path) => `${path}\0`).join(''), 'latin1');
}

/** Standard output without the last line end. */
export function text(result: GitResult): string {
  return result.stdout.toString('utf8').trimEnd();
}
