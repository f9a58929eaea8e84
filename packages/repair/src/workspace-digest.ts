import { createHash } from 'node:crypto';
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';

const LEFT_OUT = new Set(['node_modules', '.git', '.hg', '.svn']);
const WHOLE_FILE = 1024 * 1024;

/**
 * A digest of all that tests of a workspace can see, apart from dependencies: the same content gives the same digest.
 * Of very large files only the size counts.
 */
export async function workspaceDigest(root: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const [path, content] of entriesOf(root, '')) {
    hash.update(`${JSON.stringify(path)} ${createHash('sha256').update(content).digest('hex')}\n`);
  }
  return hash.digest('hex').slice(0, 32);
}

async function* entriesOf(root: string, folder: string): AsyncGenerator<[string, string | Uint8Array]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  entries.sort((first, second) => (first.name < second.name ? -1 : 1));
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (LEFT_OUT.has(entry.name)) continue;
    if (entry.isDirectory()) yield* entriesOf(root, path);
    else if (entry.isSymbolicLink()) yield [path, `link ${await readlink(join(root, path))}`];
    else if (entry.isFile()) yield [path, await contentOf(join(root, path))];
  }
}

async function contentOf(path: string): Promise<string | Uint8Array> {
  const found = await stat(path).catch(() => undefined);
  // A name that is not UTF-8 cannot be asked for, and a file can go while we look.
  if (found === undefined) return 'not to be read';
  return found.size > WHOLE_FILE ? `size ${found.size}` : await readFile(path);
}
