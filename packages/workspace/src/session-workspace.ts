import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FileChange, Workspace, WorkspaceDiff } from '@capstan/contracts';
import { z } from 'zod';
import { findRepository, type Repository } from './git/find-repository.ts';
import { PrivateGit, text } from './git/private-git.ts';
import { isTrustBearingPath } from './paths/index.ts';

const index = 'index.workspace';

/** Folders that git ignores but checks need: bound into sandboxes read-only. */
const dependencyFolders = new Set(['node_modules', '.venv', 'venv', 'vendor', 'bower_components', '__pypackages__']);

const Marker = z.strictObject({ repository: z.string(), baseTree: z.string(), files: z.number().int() });

export interface OpenOptions {
  /** Any folder inside the checkout. */
  readonly repository: string;
  /** Folder of the session, e.g. `<home>/worktrees/<session id>`; created when missing. */
  readonly folder: string;
  readonly searchPath: string;
}

/**
 * A session's own copy of a checkout as it is, uncommitted and untracked files included (requirement A6). Opening it
 * again goes on with what is there. The checkout itself is only read.
 */
export class SessionWorkspace implements Workspace {
  readonly root: string;
  readonly folder: string;
  readonly repository: Repository;
  /** Tree of the checkout when the session began. */
  readonly baseTree: string;
  readonly files: number;
  readonly git: PrivateGit;

  private constructor(folder: string, repository: Repository, git: PrivateGit, baseTree: string, files: number) {
    this.folder = folder;
    this.root = join(folder, 'tree');
    this.repository = repository;
    this.git = git;
    this.baseTree = baseTree;
    this.files = files;
  }

  static async open(options: OpenOptions): Promise<SessionWorkspace> {
    const repository = await findRepository(options.repository);
    const git = new PrivateGit(options.folder, options.searchPath);
    const marker = join(options.folder, 'workspace.json');
    const known = await readFile(marker, 'utf8').catch(() => undefined);
    if (known !== undefined) {
      const { baseTree, files } = Marker.parse(JSON.parse(known));
      return new SessionWorkspace(options.folder, repository, git, baseTree, files);
    }
    // Without the marker an earlier opening was cut off before anything else could happen: start anew.
    await rm(options.folder, { recursive: true, force: true });
    await mkdir(join(options.folder, 'tree'), { recursive: true, mode: 0o700 });
    await git.create(repository);
    const baseTree = await git.snapshotCheckout(repository);
    const files = await fill(git, baseTree, join(options.folder, 'tree'));
    await writeFile(`${marker}.new`, JSON.stringify({ repository: repository.root, baseTree, files }));
    await rename(`${marker}.new`, marker);
    return new SessionWorkspace(options.folder, repository, git, baseTree, files);
  }

  async snapshot(): Promise<string> {
    await this.git.run(['add', '--all', '--ignore-errors', '--', '.'], this.root, index, { accept: [0, 1] });
    return this.git.writeTree(this.root, index);
  }

  async restore(tree: string): Promise<void> {
    await this.snapshot();
    await this.git.run(['read-tree', '--reset', '-u', tree], this.root, index);
  }

  async diff(): Promise<WorkspaceDiff> {
    const tree = await this.snapshot();
    const flags = ['diff-tree', '-r', '--no-renames', '--no-ext-diff', '--no-textconv', this.baseTree, tree];
    const patch = await this.git.run([...flags, '-p', '--binary', '--full-index'], this.root, index);
    const names = await this.git.run([...flags, '--name-status', '-z'], this.root, index);
    return { text: patch.stdout.toString('utf8'), changes: readChanges(names.stdout.toString('utf8')) };
  }

  /** Ignored dependency folders of the checkout, relative to its top: absent from the workspace, bound in for checks. */
  async dependencies(): Promise<string[]> {
    const flags = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
    const listed = await this.git.run(flags, this.repository.root, 'index.checkout');
    return text(listed)
      .split('\0')
      .filter((path) => path.endsWith('/') && dependencyFolders.has(basename(path)))
      .map((path) => path.slice(0, -1))
      .sort();
  }
}

async function fill(git: PrivateGit, tree: string, root: string): Promise<number> {
  await git.run(['read-tree', tree], root, index);
  await git.run(['checkout-index', '--all', '--force', '--quiet'], root, index);
  const listed = await git.run(['ls-files', '-z'], root, index);
  return listed.stdout.toString('latin1').split('\0').length - 1;
}

const kinds: Readonly<Record<string, FileChange['change']>> = {
  A: 'added',
  M: 'modified',
  T: 'modified',
  D: 'deleted',
};

function readChanges(listing: string): FileChange[] {
  const fields = listing.split('\0');
  const changes: FileChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const path = fields[at + 1] ?? '';
    changes.push({ path, change: kinds[fields[at] ?? ''] ?? 'modified', trustBearing: isTrustBearingPath(path) });
  }
  return changes;
}
