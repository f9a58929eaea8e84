import { join, posix } from 'node:path';
import { workspaceInside } from '@capstan/contained-server';
import type { SandboxBind } from '@capstan/contracts';
import { protectedPaths, walkFiles } from '@capstan/workspace';

/** More mounts than these would make every start slow. */
const mostBinds = 500;
const deepest = 40;

/**
 * What the configuration protects is read-only for commands (a check leaves no trace anyway): a bind over each file and
 * folder that is there and that one of the patterns matches. What git ignores is no part of a change and is left out.
 */
export async function protectedBinds(root: string, patterns: readonly string[]): Promise<readonly SandboxBind[]> {
  if (patterns.length === 0) return [];
  const isProtected = protectedPaths(patterns);
  const found: string[] = [];
  await walkFiles(root, '.', { depth: deepest, ignore: true }, async ({ path, kind }) => {
    const isCovered = found.some((folder) => path.startsWith(`${folder}/`));
    if (!isCovered && (kind === 'file' || kind === 'folder') && isProtected(path)) found.push(path);
    return found.length < mostBinds;
  });
  return found.map((path) => ({ from: join(root, path), to: posix.join(workspaceInside, path), access: 'read' }));
}
