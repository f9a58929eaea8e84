import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CapstanError, type FileChange, type Workspace, type WorkspaceDiff } from '@capstan/contracts';
import { z } from 'zod';
import { findRepository, type Repository } from './git/find-repository.ts';
import { PrivateGit, text } from './git/private-git.ts';
import { changesBetween, type TreeChange } from './git/tree-entries.ts';
import { chooseIgnored, type IgnoredPath } from './ignored/choose-ignored.ts';
import { isTrustBearingPath } from './paths/index.ts';

const index = 'index.workspace';

const Marker = z.strictObject({ repository: z.string(), baseTree: z.string(), files: z.number().int() });

export interface OpenOptions {
  /** Any folder inside the checkout. */
  readonly repository: string;
  /** Folder of the session, e.g. `<home>/worktrees/<session id>`; created when missing. */
  readonly folder: string;
  readonly searchPath: string;
  /** The session had a workspace: that it is gone is an error then, and not a reason to make a new one. */
  readonly mustExist?: boolean;
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
    const known = await readMarker(marker, options.mustExist === true);
    if (known !== undefined) {
      return new SessionWorkspace(options.folder, repository, git, known.baseTree, known.files);
    }
    refuseInside(repository.root, options.folder);
    // Without the marker an earlier opening was cut off before anything else could happen: start anew.
    await rm(options.folder, { recursive: true, force: true, maxRetries: 5 });
    await mkdir(join(options.folder, 'tree'), { recursive: true, mode: 0o700 });
    await git.create(repository);
    const baseTree = await git.snapshotCheckout(repository);
    const files = await fill(git, baseTree, join(options.folder, 'tree'));
    await writeFile(`${marker}.new`, JSON.stringify({ repository: repository.root, baseTree, files }));
    await rename(`${marker}.new`, marker);
    return new SessionWorkspace(options.folder, repository, git, baseTree, files);
  }

  snapshot(): Promise<string> {
    return this.git.withIndex(index, true, async (own) => {
      await this.git.addAll(this.root, own);
      return this.git.writeTree(this.root, own);
    });
  }

  async restore(tree: string): Promise<void> {
    await this.git.withIndex(index, true, async (own) => {
      await this.git.addAll(this.root, own);
      await this.git.run(['read-tree', '--reset', '-u', tree], this.root, own);
    });
  }

  async diff(): Promise<WorkspaceDiff> {
    const tree = await this.snapshot();
    const flags = [
      'diff-tree',
      '-r',
      '--no-renames',
      '--no-ext-diff',
      '--no-textconv',
      '-p',
      '--binary',
      '--full-index',
    ];
    const patch = await this.git.run([...flags, this.baseTree, tree], this.root, index);
    const changes = await changesBetween(this.git, this.root, this.baseTree, tree);
    return { text: patch.stdout.toString('utf8'), changes: changes.map(fileChange) };
  }

  /** What git ignores in the checkout and checks may need: not in the workspace by itself. */
  async ignored(): Promise<IgnoredPath[]> {
    const flags = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
    const listed = await this.git.run(flags, this.repository.root, 'index.checkout');
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

async function readMarker(path: string, mustExist: boolean): Promise<z.infer<typeof Marker> | undefined> {
  const content = await readFile(path, 'utf8').catch(() => undefined);
  if (content === undefined && !mustExist) return undefined;
  const parsed = Marker.safeParse(content === undefined ? undefined : parseJson(content));
  if (parsed.success && existsSync(join(dirname(path), 'tree'))) return parsed.data;
  throw new CapstanError('workspace-lost', `The workspace of this session is damaged or gone: ${dirname(path)}`, {
    hint: 'Its log and audit trail are still there. Start a new run.',
  });
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined; // Damaged: the schema refuses it.
  }
}

function refuseInside(repository: string, folder: string): void {
  if (!`${resolve(folder)}/`.startsWith(`${repository}/`)) return;
  throw new CapstanError('usage', `The data folder of Capstan lies inside the checkout ${repository}.`, {
    hint: 'Set CAPSTAN_HOME to a folder outside of it: every session would copy all earlier ones.',
  });
}

async function fill(git: PrivateGit, tree: string, root: string): Promise<number> {
  return git.withIndex(index, false, async (own) => {
    await git.run(['read-tree', tree], root, own);
    await git.run(['checkout-index', '--all', '--force', '--quiet', '--index'], root, own);
    const listed = await git.run(['ls-files', '-z'], root, own);
    return listed.stdout.toString('latin1').split('\0').length - 1;
  });
}
