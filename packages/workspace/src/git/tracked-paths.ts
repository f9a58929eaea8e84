import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repository } from './find-repository.ts';
import { folderMode, type IndexEntry, nestedMode, readIndexListing } from './index-listing.ts';
import type { PrivateGit } from './private-git.ts';
import { readRegularFile } from './read-regular-file.ts';

/** What a checkout's own index says of it. */
export interface TrackedPaths {
  readonly paths: ReadonlySet<string>;
  readonly submodules: readonly string[];
  /** Files, and folders of a sparse index, that need not be in the checkout. */
  readonly sparse: readonly string[];
}

/** Reads a copy of the checkout's index, in whatever form it is (split, sparse, version 4, SHA-256). */
export async function trackedPaths(git: PrivateGit, repository: Repository): Promise<TrackedPaths> {
  const { gitFolder, commonFolder, root } = repository;
  const index = gitFolder && (await readRegularFile(join(gitFolder, 'index')));
  if (!gitFolder || !commonFolder || !index) return { paths: new Set(), submodules: [], sparse: [] };
  // A git folder for this reading alone: it speaks the hash of that repository, and has no objects.
  const scratch = await mkdtemp(join(git.folder, 'reading-'));
  try {
    for (const folder of ['objects', 'refs', 'info']) await mkdir(join(scratch, folder));
    // Without its patterns git would spell the folders of a sparse index out, which takes objects.
    const patterns = await readRegularFile(join(gitFolder, 'info', 'sparse-checkout'));
    if (patterns) await writeFile(join(scratch, 'info', 'sparse-checkout'), patterns);
    await writeFile(join(scratch, 'HEAD'), 'ref: refs/heads/capstan\n');
    await writeFile(join(scratch, 'config'), configOf(await objectFormat(commonFolder)));
    await writeFile(join(scratch, 'index'), index);
    const shared = (await readdir(gitFolder)).filter((name) => name.startsWith('sharedindex.'));
    for (const name of shared) await copyFile(join(gitFolder, name), join(scratch, name));
    return sortOut(await list(git, root, scratch));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function list(git: PrivateGit, root: string, scratch: string): Promise<Buffer> {
  const flags = ['ls-files', '-z', '--cached', '--stage', '-t'];
  const settings = ['core.sparseCheckout=true', 'core.sparseCheckoutCone=true', 'index.sparse=true'];
  const more = { gitFolder: scratch, indexFile: join(scratch, 'index'), accept: [0, 129], settings };
  // Older versions know neither the flag nor indexes that need it: they end with 129.
  const listed = await git.run([...flags, '--sparse'], root, 'index', more);
  return (listed.exitCode === 0 ? listed : await git.run(flags, root, 'index', { ...more, accept: [0] })).stdout;
}

function configOf(format: 'sha1' | 'sha256'): string {
  if (format === 'sha1') return '[core]\n\trepositoryformatversion = 0\n';
  return '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n';
}

/** Rows start with a tag (`S`: may be left out of the checkout) before the mode. */
function sortOut(listing: Buffer): TrackedPaths {
  const rows = listing.toString('latin1').split('\0');
  const entriesOf = (chosen: readonly string[]): Map<string, IndexEntry> =>
    readIndexListing(Buffer.from(chosen.map((row) => row.slice(2)).join('\0'), 'latin1'));
  const paths = new Set<string>();
  const submodules: string[] = [];
  for (const [path, { mode }] of entriesOf(rows)) {
    if (mode === nestedMode) submodules.push(path);
    else if (mode !== folderMode) paths.add(path);
  }
  return { paths, submodules, sparse: [...entriesOf(rows.filter((row) => row.startsWith('S '))).keys()] };
}

/** Read as text: a repository's configuration is never loaded. */
async function objectFormat(commonFolder: string): Promise<'sha1' | 'sha256'> {
  const config = await readRegularFile(join(commonFolder, 'config'));
  return config !== undefined && /^\s*objectformat\s*=\s*"?sha256"?\s*$/im.test(config.toString('latin1'))
    ? 'sha256'
    : 'sha1';
}
