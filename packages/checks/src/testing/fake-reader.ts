import type { RepositoryReader } from '../repository-reader.ts';

/** A repository in memory, for tests. */
export function fakeReader(files: Readonly<Record<string, string>>): RepositoryReader {
  const paths = Object.keys(files);
  return {
    readText: async (path) => (Object.hasOwn(files, path) ? files[path] : undefined),
    list: async (folder) => {
      const prefix = folder === '.' ? '' : `${folder}/`;
      const inside = paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
      return [...new Set(inside.map((path) => (path.includes('/') ? `${path.split('/')[0]}/` : path)))];
    },
  };
}
