import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repository } from '../git/find-repository.ts';
import { PrivateGit } from '../git/private-git.ts';
import { type CheckoutSnapshot, snapshotCheckout } from '../git/snapshot-checkout.ts';
import { writeWhole } from '../git/write-whole.ts';
import { linkObjects, packObjects } from './object-store.ts';

/** Smaller checkouts are copied in no time: nothing is prepared for them. Files. */
export const largeCheckout = 2_000;

/** What a killed process was preparing is in nobody's hands after this time. */
const abandonedMilliseconds = 10 * 60_000;

/**
 * What the sessions on one checkout share (docs/decisions/0013): its content, hashed once; the states of its files; and one
 * copy of it, made ahead. All of it is a cache: losing it costs time and nothing else.
 */
export class WorkspacePool {
  readonly folder: string;
  readonly git: PrivateGit;
  private readonly repository: Repository;
  private readonly searchPath: string;

  constructor(pools: string, repository: Repository, searchPath: string, signal?: AbortSignal) {
    const key = createHash('sha256').update(repository.root).digest('hex').slice(0, 32);
    this.folder = join(pools, key);
    this.repository = repository;
    this.searchPath = searchPath;
    this.git = new PrivateGit(join(this.folder, 'git'), searchPath, signal);
  }

  /** Takes the checkout as it is now; of what an earlier session knew, only changed files are read. */
  async snapshot(ignored: readonly string[], onRead?: (files: number) => void): Promise<CheckoutSnapshot> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writeWhole(join(this.folder, checkoutFile), this.repository.root);
    const now = new Date();
    await utimes(join(this.folder, checkoutFile), now, now);
    await this.git.create(this.repository, ignored);
    return snapshotCheckout(this.git, this.repository, onRead);
  }

  /** Gives a session all objects by links: they stay when the pool goes, and go when both are gone. */
  lend(session: PrivateGit): Promise<void> {
    return linkObjects(join(this.git.folder, 'objects'), join(session.folder, 'objects'));
  }

  /** Moves the copy that was made ahead to `to`, as `to/tree` and `to/index`; false when there is none. */
  async takeSpare(to: string): Promise<boolean> {
    for (const name of await this.names(sparePrefix)) {
      // One rename: of two sessions that want it, one gets it.
      const taken = await rename(join(this.folder, name), to).then(
        () => true,
        () => false,
      );
      if (taken) return true;
    }
    return false;
  }

  /** Makes a copy of `tree` ahead for the next session, in the background; leaves nothing behind when it is stopped. */
  async prepare(tree: string, files: number, signal: AbortSignal): Promise<void> {
    const git = new PrivateGit(this.git.folder, this.searchPath, signal);
    await packObjects(git);
    if (files < largeCheckout || (await this.isPrepared())) return;
    const fresh = join(this.folder, `${preparingPrefix}${randomUUID()}`);
    try {
      await mkdir(join(fresh, 'tree'), { recursive: true, mode: 0o700 });
      const more = { indexFile: join(fresh, 'index'), background: true };
      await git.run(['read-tree', tree], join(fresh, 'tree'), '', more);
      await git.run(['checkout-index', '--all', '--force', '--quiet', '--index'], join(fresh, 'tree'), '', more);
      await rename(fresh, join(this.folder, `${sparePrefix}${randomUUID()}`));
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
  }

  /** Takes the pool away, whoever uses it: they go on without. */
  async discard(): Promise<void> {
    const away = `${this.folder}${trashSuffix}${randomUUID()}`;
    await rename(this.folder, away).catch(() => undefined);
    await rm(away, { recursive: true, force: true, maxRetries: 5 });
  }

  private async isPrepared(): Promise<boolean> {
    for (const name of await this.names(preparingPrefix)) {
      const path = join(this.folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found && Date.now() - found.mtimeMs < abandonedMilliseconds) return true;
      await rm(path, { recursive: true, force: true });
    }
    return (await this.names(sparePrefix)).length > 0;
  }

  private async names(prefix: string): Promise<string[]> {
    return (await readdir(this.folder).catch(() => [])).filter((name) => name.startsWith(prefix));
  }
}

/** Holds the path of the checkout; its time is that of the last use. */
export const checkoutFile = 'checkout';
export const trashSuffix = '.trash-';
const sparePrefix = 'spare-';
const preparingPrefix = 'preparing-';
