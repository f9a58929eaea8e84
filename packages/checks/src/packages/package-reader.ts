import { posix } from 'node:path';
import type { RepositoryReader } from '../repository-reader.ts';

/** A package of a repository as if it were one of its own: paths are relative to its folder. */
export function packageReader(reader: RepositoryReader, folder: string): RepositoryReader {
  const inside = (path: string): string => posix.join(folder, path);
  return {
    readText: (path) => reader.readText(inside(path)),
    list: (path) => reader.list(inside(path)),
  };
}
