import { matchesGlob } from 'node:path/posix';
import type { RepositoryReader } from './repository-reader.ts';

const mostFiles = 2000;
const mostFolders = 5000;

/**
 * The words with each glob in them replaced by the files of the repository that match, in order; installed packages and
 * hidden folders are left out. Globs stay as they are where nothing matches, or too much to name.
 */
export async function expandPatterns(reader: RepositoryReader, words: readonly string[]): Promise<string[]> {
  if (!words.some(isGlob)) return [...words];
  const files = await listFiles(reader);
  const expanded = words.flatMap((word) => {
    const found = isGlob(word) ? files.filter((path) => matchesGlob(path, word.replace(/^\.\//, ''))) : [];
    return found.length === 0 ? [word] : found;
  });
  return expanded.length > mostFiles ? [...words] : expanded;
}

function isGlob(word: string): boolean {
  return !word.startsWith('-') && /[*?{[]/.test(word);
}

async function listFiles(reader: RepositoryReader): Promise<string[]> {
  const files: string[] = [];
  const folders = ['.'];
  for (let at = 0; at < folders.length && at < mostFolders; at += 1) {
    const folder = folders[at] ?? '.';
    for (const name of await reader.list(folder)) {
      const path = folder === '.' ? name : `${folder}/${name}`;
      if (!name.endsWith('/')) files.push(path);
      else if (name !== 'node_modules/' && !name.startsWith('.')) folders.push(path.slice(0, -1));
    }
  }
  return files.toSorted();
}
