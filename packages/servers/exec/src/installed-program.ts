import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { workspaceInside } from '@capstan/contained-server';
import type { ExecOptions } from './exec-options.ts';
import type { VirtualEnvironment } from './virtual-environment.ts';

/**
 * The folders of the sandbox that have to be on the PATH for a program that the workspace itself brings along: as a path,
 * or installed among its dependencies. Undefined where it has to come from the host.
 */
export function installedProgram(
  program: string,
  directory: string,
  { root, binds }: ExecOptions,
  python: VirtualEnvironment | undefined,
): readonly string[] | undefined {
  // An absolute one comes from the host: the interpreter of a virtual environment.
  if (program.includes('/')) return program.startsWith('/') ? undefined : [];
  if (python !== undefined && existsSync(join(python.folder, 'bin', program))) return [];
  for (let folder = posix.join(workspaceInside, directory); folder !== '/'; folder = posix.dirname(folder)) {
    const modules = posix.join(folder, 'node_modules');
    const from = binds.find(({ to }) => to === modules)?.from ?? join(root, posix.relative(workspaceInside, modules));
    if (existsSync(join(from, '.bin', program))) return [`${modules}/.bin`];
  }
  return undefined;
}
