import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CapstanError } from '@capstan/contracts';
import { checkPlainFolder } from './checkout/check-plain-folder.ts';
import { checkoutNotices } from './checkout/checkout-notices.ts';
import { ignoredByDefault } from './checkout/ignored-by-default.ts';
import type { Repository } from './git/find-repository.ts';
import { linkIndex, type PrivateGit } from './git/private-git.ts';
import { type CheckoutSnapshot, checkoutIndex, snapshotCheckout } from './git/snapshot-checkout.ts';
import type { WorkspacePool } from './pool/workspace-pool.ts';

/** The index of a session's own copy. */
export const workspaceIndex = 'index.workspace';

export interface MakeOptions {
  /** The session's folder. */
  readonly folder: string;
  readonly repository: Repository;
  /** The session's git folder, in `folder`. */
  readonly git: PrivateGit;
  readonly pool: WorkspacePool | undefined;
  readonly onProgress?: ((progress: OpenProgress) => void) | undefined;
}

/** How far the opening of a workspace is; `files` are those that were read, or that are being written. */
export interface OpenProgress {
  readonly phase: 'reading' | 'writing';
  readonly files: number;
}

export interface MadeWorkspace {
  readonly baseTree: string;
  readonly files: number;
  readonly notices: readonly string[];
}

/** Copies a checkout as it is into a session's folder, which is made anew. A pool that is damaged is made anew too. */
export async function makeWorkspace(options: MakeOptions): Promise<MadeWorkspace> {
  if (options.pool === undefined) return make(options);
  try {
    return await make(options);
  } catch (thrown) {
    if (!(thrown instanceof CapstanError) || thrown.code !== 'storage-failed') throw thrown;
    await options.pool.discard();
    return make(options);
  }
}

async function make({ folder, repository, git, pool, onProgress }: MakeOptions): Promise<MadeWorkspace> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const ignored = await ignoredByDefault(repository);
  await git.create(repository, ignored);
  if (repository.gitFolder === undefined) await checkPlainFolder(git, repository);
  const onRead = onProgress && ((files: number) => onProgress({ phase: 'reading', files }));
  onRead?.(0);
  const snapshot = await (pool?.snapshot(ignored, onRead) ?? snapshotCheckout(git, repository, onRead));
  if (pool) await borrow(pool, git, snapshot);
  if (repository.gitFolder === undefined) refuseEmpty(repository, snapshot);
  onProgress?.({ phase: 'writing', files: snapshot.entries.size });
  await fill(git, snapshot.tree, folder, pool);
  const notices = await checkoutNotices(git, repository, snapshot);
  return { baseTree: snapshot.tree, files: snapshot.entries.size, notices };
}

/** The objects, and the states of the checkout's files, which make `apply` as quick. */
async function borrow(pool: WorkspacePool, git: PrivateGit, { entries }: CheckoutSnapshot): Promise<void> {
  await pool.lend(git);
  await refuseMissing(git, entries);
  await linkIndex(join(pool.git.folder, checkoutIndex), join(git.folder, checkoutIndex));
}

/** A copy made ahead would hide that content is missing, until it is needed. */
async function refuseMissing(git: PrivateGit, entries: CheckoutSnapshot['entries']): Promise<void> {
  const input = [...entries.values()].map(({ blob }) => `${blob}\n`).join('');
  const flags = ['cat-file', '--batch-check=%(objecttype)', '--buffer'];
  const { stdout } = await git.run(flags, git.folder, 'index.none', { input });
  if (!stdout.includes(' missing')) return;
  throw new CapstanError('storage-failed', `Content is missing in the pool of workspaces: ${git.folder}`);
}

/** Writes the tree out; a copy that was made ahead only has to be brought up to date. */
async function fill(git: PrivateGit, tree: string, folder: string, pool: WorkspacePool | undefined): Promise<void> {
  const root = join(folder, 'tree');
  const spare = join(folder, 'spare');
  if (await pool?.takeSpare(spare)) {
    await rename(join(spare, 'tree'), root);
    await rename(join(spare, 'index'), join(git.folder, workspaceIndex));
    await rm(spare, { recursive: true, force: true });
    await git.withIndex(workspaceIndex, true, (own) => git.run(['read-tree', '--reset', '-u', tree], root, own));
    return;
  }
  await mkdir(root, { mode: 0o700 });
  await writeOut(git, tree, root);
}

/** Writes a tree into an empty folder. */
export function writeOut(git: PrivateGit, tree: string, root: string): Promise<unknown> {
  return git.withIndex(workspaceIndex, false, async (own) => {
    await git.run(['read-tree', tree], root, own);
    await git.run(['checkout-index', '--all', '--force', '--quiet', '--index'], root, own);
  });
}

function refuseEmpty({ root }: Repository, { entries }: CheckoutSnapshot): void {
  if (entries.size > 0) return;
  throw new CapstanError('no-files', `There is nothing to work on in ${root}: no file, or only ignored ones.`, {
    hint: 'Give the folder that your files are in: capstan run --repo PATH "TASK".',
  });
}
