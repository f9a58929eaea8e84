import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CapstanError, type FileChange, type Workspace, type WorkspaceDiff } from '@capstan/contracts';
import { diffText } from './git/diff-text.ts';
import { findRepository, plainFolder, type Repository } from './git/find-repository.ts';
import { PrivateGit, text } from './git/private-git.ts';
import { checkoutIndex } from './git/snapshot-checkout.ts';
import { changesBetween, type TreeChange } from './git/tree-entries.ts';
import { chooseIgnored, type IgnoredPath } from './ignored/choose-ignored.ts';
import { makeWorkspace, type OpenProgress, workspaceIndex, writeOut } from './make-workspace.ts';
import { isTrustBearingPath } from './paths/index.ts';
import { largeCheckout, WorkspacePool } from './pool/workspace-pool.ts';
import { readMarker, type WorkspaceMarker, writeMarker } from './workspace-marker.ts';

export interface OpenOptions {
  /** Any folder inside the checkout. */
  readonly repository: string;
  /** Folder of the session, e.g. `<home>/worktrees/<session id>`; created when missing. */
  readonly folder: string;
  readonly searchPath: string;
  /** The session had a workspace: that it is gone is an error then, and not a reason to make a new one. */
  readonly mustExist?: boolean;
  /** Folder of what sessions on the same checkout share, so that opening the next one is quick; none is used without. */
  readonly pool?: string;
  /** The person's home folder: never taken for a checkout by itself. */
  readonly homeFolder?: string | undefined;
  /** Told often, how far the opening is. */
  readonly onProgress?: ((progress: OpenProgress) => void) | undefined;
  /** Ends the git that is running, at once. */
  readonly signal?: AbortSignal;
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
  /** What the copy lacks of the checkout: one sentence each, for people. */
  readonly notices: readonly string[];
  readonly git: PrivateGit;
  private marker: WorkspaceMarker;
  private readonly pool: WorkspacePool | undefined;

  private constructor(
    folder: string,
    repository: Repository,
    git: PrivateGit,
    marker: WorkspaceMarker,
    pool: WorkspacePool | undefined,
  ) {
    this.folder = folder;
    this.root = join(folder, 'tree');
    this.repository = repository;
    this.git = git;
    this.marker = marker;
    this.pool = pool;
    this.baseTree = marker.baseTree;
    this.files = marker.files;
    this.notices = marker.notices;
  }

  static async open(options: OpenOptions): Promise<SessionWorkspace> {
    const { folder, searchPath, signal } = options;
    const git = new PrivateGit(join(folder, 'git'), searchPath, signal);
    const known = await readMarker(folder, options.mustExist === true);
    const repository = await (known ? sameRepository(known.repository) : findRepository(options.repository, options));
    const pool =
      options.pool === undefined ? undefined : new WorkspacePool(options.pool, repository, searchPath, signal);
    if (known) return new SessionWorkspace(folder, repository, git, known, pool);
    for (const ours of [folder, options.pool ?? folder]) refuseInside(repository.root, ours);
    // Without the marker an earlier opening was cut off before anything else could happen: it starts anew.
    const made = await makeWorkspace({ folder, repository, git, pool, onProgress: options.onProgress });
    const marker = { repository: repository.root, ...made, notices: [...made.notices] };
    await writeMarker(folder, marker);
    return new SessionWorkspace(folder, repository, git, marker, pool);
  }

  /** Its copy was given back: `unpark` brings it again. */
  get isParked(): boolean {
    return this.marker.parkedTree !== undefined;
  }

  /** So many files that it takes space and time worth saving. */
  get isLarge(): boolean {
    return this.files >= largeCheckout;
  }

  async snapshot(): Promise<string> {
    if (this.marker.parkedTree !== undefined) return this.marker.parkedTree;
    return this.git.withIndex(workspaceIndex, true, async (own) => {
      await this.git.addChanges(this.root, own);
      return this.git.writeTree(this.root, own);
    });
  }

  async restore(tree: string): Promise<void> {
    await this.unpark();
    await this.git.withIndex(workspaceIndex, true, async (own) => {
      await this.git.addChanges(this.root, own);
      await this.git.run(['read-tree', '--reset', '-u', tree], this.root, own);
    });
  }

  /**
   * Makes what the next session on this checkout starts from, in the background; the answer stops it. That it cannot be
   * made (a full disk) costs the next session time and nothing else.
   */
  prepareNext(): () => Promise<void> {
    const stop = new AbortController();
    const done = this.pool?.prepare(this.baseTree, this.files, stop.signal).catch(() => undefined);
    return async () => {
      stop.abort();
      await done;
    };
  }

  /**
   * Gives the disk space of the copy back: its content stays in the session's git folder, so diff, apply and undo work on;
   * ignored files in it are gone. For sessions that have ended. False when it was parked already.
   */
  async park(): Promise<boolean> {
    if (this.isParked) return false;
    const parkedTree = await this.snapshot();
    this.marker = { ...this.marker, parkedTree };
    await writeMarker(this.folder, this.marker);
    await rm(this.root, { recursive: true, force: true, maxRetries: 5 });
    await rm(join(this.git.folder, workspaceIndex), { force: true });
    await mkdir(this.root, { mode: 0o700 });
    return true;
  }

  /** Brings the copy of a parked session back; to be done before anything works in it. */
  async unpark(): Promise<void> {
    const { parkedTree, ...marker } = this.marker;
    if (parkedTree === undefined) return;
    await rm(this.root, { recursive: true, force: true, maxRetries: 5 });
    await mkdir(this.root, { mode: 0o700 });
    await writeOut(this.git, parkedTree, this.root);
    this.marker = marker;
    await writeMarker(this.folder, marker);
  }

  async diff(): Promise<WorkspaceDiff> {
    const tree = await this.snapshot();
    const changes = await changesBetween(this.git, this.root, this.baseTree, tree);
    const diff = await diffText(this.git, this.root, { from: this.baseTree, to: tree }, changes);
    return { text: diff, changes: changes.map(fileChange) };
  }

  /** What git ignores in the checkout and checks may need: not in the workspace by itself. */
  async ignored(): Promise<IgnoredPath[]> {
    const flags = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
    const listed = await this.git.run(flags, this.repository.root, checkoutIndex);
    return chooseIgnored(text(listed).split('\0').filter(Boolean));
  }
}

function fileChange({ path, before, after }: TreeChange): FileChange {
  const change = before === undefined ? 'added' : after === undefined ? 'deleted' : 'modified';
  return { path, change, trustBearing: isHeld({ path, after }) };
}

/** What a human has to see before it leaves: trust-bearing files, and links, which lead wherever they say. */
export function isHeld({ path, after }: Pick<TreeChange, 'path' | 'after'>): boolean {
  return isTrustBearingPath(path) || after?.mode === '120000';
}

/** The checkout that a session was opened on, whatever lies around it by now: it is where `apply` writes. */
async function sameRepository(root: string): Promise<Repository> {
  const found = await findRepository(root);
  return found.root === root ? found : plainFolder(root);
}

function refuseInside(repository: string, folder: string): void {
  if (!`${resolve(folder)}/`.startsWith(`${repository}/`)) return;
  throw new CapstanError('usage', `The data folder of Capstan lies inside the checkout ${repository}.`, {
    hint: 'Set CAPSTAN_HOME to a folder outside of it: every session would copy all earlier ones.',
  });
}
