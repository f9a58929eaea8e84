import { existsSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '@capstan/contracts';
import type { ArchiveFolder, SessionArchive } from '../archive.ts';
import type { Database } from '../database.ts';
import type { Leases } from '../leases.ts';
import { storageError } from '../storage-error.ts';
import { folderSize } from './folder-size.ts';
import { removeFolder } from './remove-folder.ts';

export interface RemovalDeps {
  readonly database: Database;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly archive: ArchiveFolder;
  /** Identifies this process as a holder of leases. */
  readonly holder: string;
  /** Folder that holds one folder per session. */
  readonly worktrees: string;
  readonly readSession: (sessionId: string) => Omit<SessionArchive, 'archivedAt'>;
  /** Asked again once the session cannot change any more. */
  readonly mayGo: (sessionId: string) => boolean;
}

const leaseMilliseconds = 10 * 60_000;

/**
 * Archives a session and removes the rest of it, in an order in which a kill at any point leaves it either as it was or
 * archived, and then the next collection removes what is left. False when it came into use or is gone meanwhile.
 */
export function removeSession(deps: RemovalDeps, sessionId: string): boolean {
  const { database, leases, clock, archive } = deps;
  const lease = database.write(() => leases.acquireUnused(sessionId, deps.holder, leaseMilliseconds));
  if (lease === undefined) return false;
  try {
    if (!deps.mayGo(sessionId)) return false;
    const archivedAt = clock.now();
    archive.write({ ...deps.readSession(sessionId), archivedAt });
    database.write(() => {
      leases.check(lease);
      forget(database, sessionId, archivedAt);
    });
    removeWorkspace(deps.worktrees, sessionId);
    return true;
  } finally {
    leases.releaseUnused(lease);
  }
}

/** Rows of a session by table; `runs` and the session itself stay, as its entry in lists, and so does the audit trail. */
const ofSession = ['events', 'journal', 'approvals', 'grants', 'blob_uses'];
const ofRuns = ['checkpoints', 'channel_values', 'checkpoint_writes'];

function forget(database: Database, sessionId: string, archivedAt: number): void {
  for (const table of ofSession) database.run(`DELETE FROM ${table} WHERE session_id = ?`, sessionId);
  for (const table of ofRuns) {
    const runs = 'SELECT run_id FROM runs WHERE session_id = ?';
    database.run(`DELETE FROM ${table} WHERE thread_id IN (${runs})`, sessionId);
  }
  const sql = `UPDATE sessions SET status = 'closed', archived_at = ? WHERE session_id = ?`;
  database.run(sql, archivedAt, sessionId);
}

/** Bytes of the rows that go with a session, without what SQLite adds to them. */
export function rowBytes(database: Database, sessionId: string): number {
  const runs = 'SELECT run_id FROM runs WHERE session_id = ?1';
  const row = database.get(
    `SELECT
      (SELECT coalesce(sum(length(key) + coalesce(length(body), 64)), 0) FROM events WHERE session_id = ?1) +
      (SELECT coalesce(sum(length(key) + coalesce(length(result), 0)), 0) FROM journal WHERE session_id = ?1) +
      (SELECT coalesce(sum(length(checkpoint) + length(metadata) + length(channels)), 0)
        FROM checkpoints WHERE thread_id IN (${runs})) +
      (SELECT coalesce(sum(length(value)), 0) FROM channel_values WHERE thread_id IN (${runs})) +
      (SELECT coalesce(sum(length(value)), 0) FROM checkpoint_writes WHERE thread_id IN (${runs})) AS bytes`,
    sessionId,
  );
  return Number(row?.bytes ?? 0);
}

/** Renamed first, so that a workspace that is half removed is never taken for one. */
export function removeWorkspace(worktrees: string, name: string): void {
  const folder = join(worktrees, name);
  const doomed = join(dirname(folder), `${removalMark}${name}`);
  try {
    removeFolder(doomed);
    if (!existsSync(folder)) return;
    renameSync(folder, doomed);
    removeFolder(doomed);
  } catch (error) {
    throw storageError(error, folder);
  }
}

/** Names of workspaces that are being removed begin so. */
export const removalMark = '.removing-';

/** What the workspace of a session takes on the disk. */
export function workspaceBytes(worktrees: string, sessionId: string): number {
  return folderSize(join(worktrees, sessionId));
}
