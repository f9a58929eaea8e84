import { dirname } from 'node:path';
import { checkRelativePath, walkFiles } from '@capstan/workspace';

/** A completion that nobody can survey is none; MCP allows as many. */
const mostCompletions = 100;

/** Paths that begin as typed: names of the folder in which the typing is, folders with a slash at the end. */
export async function completePath(root: string, typed: string): Promise<string[]> {
  const folder = typed.endsWith('/') ? typed : dirname(typed);
  const start = checkRelativePath(folder === '' ? '.' : folder);
  if ('failure' in start) return [];
  const fitting: string[] = [];
  const walked = await walkFiles(root, start.path, { depth: 1, ignore: true }, async ({ path, kind }) => {
    if (path.startsWith(typed) && (kind === 'file' || kind === 'folder'))
      fitting.push(kind === 'folder' ? `${path}/` : path);
    return fitting.length <= mostCompletions;
  });
  return 'failure' in walked ? [] : fitting;
}
