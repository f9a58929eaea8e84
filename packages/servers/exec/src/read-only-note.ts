import { posix } from 'node:path';
import { workspaceInside } from '@capstan/contained-server';
import type { SandboxBind } from '@capstan/contracts';

const REFUSED = /EROFS|Read-only file system/i;

/** Says that a run wrote to something that it can only read, where its output looks like it; undefined otherwise. */
export function readOnlyNote(output: string, binds: readonly SandboxBind[]): string | undefined {
  const lines = output.split('\n').filter((line) => REFUSED.test(line));
  const folders = binds
    .filter(({ to, access }) => access === 'read' && to.startsWith(`${workspaceInside}/`))
    .map(({ to }) => posix.relative(workspaceInside, to));
  const folder = folders.find((name) => lines.some((line) => line.includes(name)));
  if (folder === undefined) return undefined;
  return (
    `Something was written to ${folder}, which can only be read here: this machine has no overlays for it and it is ` +
    'too large to be copied. `capstan doctor` says why.'
  );
}
