import { readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RepositoryReader } from '@capstan/checks';
import { readPlainFile } from './read-plain-file.ts';

const MANIFEST_LIMIT = 1024 * 1024;

/** Reads the manifests of a workspace; a link is not followed and nothing outside of the root is opened. */
export function workspaceReader(root: string): RepositoryReader {
  const inside = async (folder: string): Promise<string | undefined> => {
    const [real, realRoot] = await Promise.all([realpath(folder).catch(() => undefined), realpath(root)]);
    return real === realRoot || real?.startsWith(`${realRoot}/`) === true ? real : undefined;
  };
  return {
    readText: async (path) => {
      const target = join(root, path);
      const folder = await inside(dirname(target));
      return folder === undefined ? undefined : readPlainFile(target, MANIFEST_LIMIT);
    },
    list: async (path) => {
      const folder = await inside(join(root, path));
      if (folder === undefined) return [];
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
    },
  };
}
