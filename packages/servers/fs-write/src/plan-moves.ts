import { basename } from 'node:path';
import { checkRelativePath, checkWritable, foldPath, type Refusal, refuse } from '@capstan/workspace';
import { type Change, type FileState, readState } from './change.ts';
import { checkHash } from './check-hash.ts';
import { namesBeside } from './names-beside.ts';

export interface MoveRequest {
  readonly from: string;
  readonly to: string;
  readonly overwrite: boolean;
  readonly ifHash?: string | undefined;
}

/**
 * Works out what moving files would do: all of them or none. A move is a file that is made, with the same bytes, and one that
 * is removed after it, so that a crash in between leaves the file twice and never not at all.
 */
export async function planMoves(root: string, moves: readonly MoveRequest[]): Promise<Change[] | Refusal> {
  const changes = new Map<string, Change>();
  for (const move of moves) {
    const planned = await planMove(root, move);
    if ('failure' in planned) return planned;
    for (const change of planned) {
      if (changes.has(change.path))
        return refuse('bad-argument', `${JSON.stringify(change.path)} is named twice.`, 'Name each file once.');
      changes.set(change.path, change);
    }
  }
  return [...changes.values()];
}

async function planMove(root: string, move: MoveRequest): Promise<Change[] | Refusal> {
  const [from, to] = [checkRelativePath(move.from), checkRelativePath(move.to)];
  if ('failure' in from) return from;
  if ('failure' in to) return to;
  if (from.path === to.path)
    return refuse('bad-argument', `${JSON.stringify(from.path)} is there already.`, 'Give another name in "to".');
  const source = await readSource(root, from.path);
  if ('failure' in source) return source;
  const stale = checkHash(from.path, source, move.ifHash);
  if (stale !== undefined) return stale;
  const target = await readTarget(root, from.path, to.path, move.overwrite);
  if (target !== undefined && 'failure' in target) return target;
  const { bytes, mode } = source;
  return [
    { path: to.path, before: target, after: bytes, mode, movedFrom: from.path, notes: [] },
    { path: from.path, before: source, after: undefined, movedTo: to.path, notes: [] },
  ];
}

async function readSource(root: string, path: string): Promise<FileState | Refusal> {
  const blocked = await checkWritable(root, path, 'remove');
  if (blocked !== undefined) return blocked;
  const state = await readState(root, path);
  if (state !== undefined) return state;
  return refuse(
    'not-found',
    `There is nothing at ${JSON.stringify(path)}. No file was moved.`,
    'List the folder to see the names that exist; folders are moved file by file.',
  );
}

async function readTarget(
  root: string,
  from: string,
  to: string,
  overwrite: boolean,
): Promise<FileState | undefined | Refusal> {
  const blocked = await checkWritable(root, to);
  if (blocked !== undefined) return blocked;
  const state = await readState(root, to);
  if (state === undefined || 'failure' in state) return state;
  if (foldPath(from).join('/') === foldPath(to).join('/') && !(await namesBeside(root, to)).includes(basename(to))) {
    return refuse(
      'exists',
      `This system takes ${JSON.stringify(from)} and ${JSON.stringify(to)} for the same name. No file was moved.`,
      'Move it in two calls, over a name that differs in more than capital letters.',
    );
  }
  if (overwrite) return state;
  return refuse(
    'exists',
    `There is already a file at ${JSON.stringify(to)}. No file was moved.`,
    'Give another name, or overwrite: true to replace it (restore_files brings it back).',
  );
}
