import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryReader } from '@capstan/checks';

const MANIFEST_LIMIT = 1024 * 1024;

/** Reads the manifests of a workspace; what a link leads out of it is not there. */
export function workspaceReader(root: string): RepositoryReader {
  const inside = async (path: string): Promise<string | undefined> => {
    const [real, realRoot] = await Promise.all([realpath(join(root, path)).catch(() => undefined), realpath(root)]);
    return real === realRoot || real?.startsWith(`${realRoot}/`) === true ? real : undefined;
  };
  return {
    readText: async (path) => {
      const real = await inside(path);
      if (real === undefined) return undefined;
      const status = await stat(real);
      return status.isFile() && status.size <= MANIFEST_LIMIT ? await readFile(real, 'utf8') : undefined;
    },
    list: async (path) => {
      const real = await inside(path);
      if (real === undefined) return [];
      const entries = await readdir(real, { withFileTypes: true }).catch(() => []);
      return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
    },
  };
}
