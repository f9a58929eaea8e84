import { type IndexEntry, readablePath } from '../git/index-listing.ts';
import type { PrivateGit } from '../git/private-git.ts';

const beginning = Buffer.from('version https://git-lfs.github.com/spec/v1\n');

/** What a pointer file can measure, by its specification. Bytes. */
const least = 100;
const largest = 1023;

/**
 * The files that hold only a pointer of git-lfs. Looked for where a .gitattributes file speaks of git-lfs; elsewhere it
 * would mean reading every small file.
 */
export async function lfsPointers(
  git: PrivateGit,
  root: string,
  entries: ReadonlyMap<string, IndexEntry>,
): Promise<string[]> {
  const attributes = [...entries].filter(([path]) => path === '.gitattributes' || path.endsWith('/.gitattributes'));
  const texts = await contents(
    git,
    root,
    attributes.map(([, { blob }]) => blob),
  );
  if (![...texts.values()].some((text) => /\bfilter=lfs\b/.test(text.toString('latin1')))) return [];
  const blobs = [...entries.values()].map(({ blob }) => blob).filter((blob) => blob !== '');
  const small = await ofPointerSize(git, root, blobs);
  const pointers = new Set<string>();
  for (const [blob, bytes] of await contents(git, root, small)) {
    if (bytes.subarray(0, beginning.length).equals(beginning)) pointers.add(blob);
  }
  return [...entries].filter(([, { blob }]) => pointers.has(blob)).map(([path]) => readablePath(path));
}

async function ofPointerSize(git: PrivateGit, root: string, blobs: readonly string[]): Promise<string[]> {
  const input = blobs.map((blob) => `${blob}\n`).join('');
  const flags = ['cat-file', '--batch-check=%(objectname) %(objectsize)', '--buffer'];
  const listed = await git.run(flags, root, 'index.none', { input });
  const rows = listed.stdout.toString('latin1').split('\n');
  return rows.flatMap((row) => {
    const [blob = '', size] = row.split(' ');
    return Number(size) >= least && Number(size) <= largest ? [blob] : [];
  });
}

/** The bytes of blobs: each comes as `<id> blob <size>`, a line end, the bytes, a line end. */
async function contents(git: PrivateGit, root: string, blobs: readonly string[]): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  if (blobs.length === 0) return found;
  const input = blobs.map((blob) => `${blob}\n`).join('');
  const { stdout } = await git.run(['cat-file', '--batch', '--buffer'], root, 'index.none', { input });
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf('\n', at);
    const [blob = '', , size = ''] = stdout.subarray(at, end).toString('latin1').split(' ');
    found.set(blob, stdout.subarray(end + 1, end + 1 + Number(size)));
    at = end + 2 + Number(size);
  }
  return found;
}
