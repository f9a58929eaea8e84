import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../database.ts';
import { findBackups } from '../migrations/database-backup.ts';
import { folderSize } from './folder-size.ts';
import { removeFolder } from './remove-folder.ts';
import { removalMark, removeWorkspace } from './remove-session.ts';

export interface Leftover {
  readonly path: string;
  readonly reason: string;
  readonly bytes: number;
}

export interface LeftoverSweep {
  readonly database: Database;
  readonly home: string;
  readonly now: number;
  /** A workspace without a session may be all that is left of somebody's work: it stays as long as a diff. */
  readonly unappliedMilliseconds: number;
  readonly dryRun: boolean;
}

const day = 24 * 60 * 60_000;
const backupDays = 7;

/** Removes what no session owns: workspaces, halves of files, backups of migrations. Names that are not ours stay. */
export function sweepLeftovers(sweep: LeftoverSweep): Leftover[] {
  const found = [...workspaces(sweep), ...temporaryFiles(sweep), ...backups(sweep)];
  const leftovers = found.map(({ remove, ...leftover }) => ({ leftover, remove }));
  if (!sweep.dryRun) for (const { remove } of leftovers) remove();
  return leftovers.map(({ leftover }) => leftover);
}

type Removable = Leftover & { readonly remove: () => void };

function workspaces(sweep: LeftoverSweep): Removable[] {
  const worktrees = join(sweep.home, 'worktrees');
  return namesIn(worktrees).flatMap((name): Removable[] => {
    const path = join(worktrees, name);
    const reason = name.startsWith(removalMark) ? 'a removal was cut off' : orphanReason(sweep, name, path);
    if (reason === undefined) return [];
    const remove = name.startsWith(removalMark) ? () => removeFolder(path) : () => removeWorkspace(worktrees, name);
    return [{ path, reason, bytes: folderSize(path), remove }];
  });
}

/** A session's row comes before its folder, so that a folder without one is never just being made. */
function orphanReason(sweep: LeftoverSweep, name: string, path: string): string | undefined {
  const row = sweep.database.get('SELECT archived_at FROM sessions WHERE session_id = ?', name);
  if (row !== undefined) return row.archived_at === null ? undefined : 'its session is archived';
  // Other folders there are not ours to judge.
  if (!name.startsWith('session-')) return undefined;
  const limit = existsSync(join(path, 'workspace.json')) ? sweep.unappliedMilliseconds : day;
  const changed = Math.max(
    ...['.', 'workspace.json', 'tree', 'git', 'state'].map((part) => changedAt(join(path, part))),
  );
  return sweep.now - changed > limit ? 'no session owns it' : undefined;
}

function temporaryFiles(sweep: LeftoverSweep): Removable[] {
  const places = [sweep.home, join(sweep.home, 'archive')];
  return places.flatMap((folder) =>
    namesIn(folder)
      .filter((name) => /^\.(?:audit-key-)?[0-9a-f]{16}\.tmp$/.test(name))
      .map((name) => join(folder, name))
      .filter((path) => sweep.now - changedAt(path) > day)
      .map((path) => removableFile(path, 'a process was killed while it wrote this')),
  );
}

function backups(sweep: LeftoverSweep): Removable[] {
  return findBackups(join(sweep.home, 'capstan.db'))
    .filter((path) => sweep.now - changedAt(path) > backupDays * day)
    .map((path) => removableFile(path, 'the migration is long over'));
}

function removableFile(path: string, reason: string): Removable {
  return { path, reason, bytes: folderSize(path), remove: () => rmSync(path, { force: true }) };
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // It was never made.
  }
}
