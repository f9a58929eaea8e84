import { basename } from 'node:path';
import { foldPath } from '@capstan/workspace';
import type { Change } from './change.ts';
import { checkSyntax } from './check-syntax.ts';
import { namesBeside } from './names-beside.ts';

/** Adds to each change what its author should know of it: text that no longer parses, names that other systems confuse. */
export async function warnOfChanges(root: string, changes: readonly Change[]): Promise<Change[]> {
  const removed = new Set(changes.filter((change) => change.after === undefined).map((change) => change.path));
  const warned: Change[] = [];
  for (const change of changes) {
    const { path, before, after, movedFrom } = change;
    const broken = movedFrom === undefined ? await checkSyntax(path, before?.bytes, after) : undefined;
    const alike = before === undefined && after !== undefined ? await lookAlike(root, path, removed) : undefined;
    warned.push({ ...change, notes: [...change.notes, ...[broken, alike].filter((note) => note !== undefined)] });
  }
  return warned;
}

async function lookAlike(root: string, path: string, removed: ReadonlySet<string>): Promise<string | undefined> {
  const name = basename(path);
  const folder = path.slice(0, path.length - name.length);
  const folded = foldPath(name).join('/');
  const alike = (await namesBeside(root, path)).find(
    (other) => other !== name && !removed.has(`${folder}${other}`) && foldPath(other).join('/') === folded,
  );
  if (alike === undefined) return undefined;
  return `Warning: ${JSON.stringify(alike)} beside it is the same name on macOS and Windows.`;
}
