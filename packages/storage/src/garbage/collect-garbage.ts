import { join } from 'node:path';
import { compactDatabase, databaseSize } from './compact-database.ts';
import { folderSize } from './folder-size.ts';
import { judgeSession } from './judge-session.ts';
import { planRemovals, type Removal, type RemovalPlan } from './plan-removals.ts';
import { type RemovalDeps, removeSession, rowBytes, workspaceBytes } from './remove-session.ts';
import type { Retention } from './retention.ts';
import { type FactsDeps, sessionFacts } from './session-facts.ts';
import { type SweptFiles, sweepBlobs } from './sweep-blobs.ts';
import { type Leftover, sweepLeftovers } from './sweep-leftovers.ts';

export interface GarbageOptions {
  readonly retention: Retention;
  /** Says what would go, and changes nothing. */
  readonly dryRun: boolean;
  /** Stops between two sessions. */
  readonly signal?: AbortSignal;
}

export interface GarbageReport {
  readonly dryRun: boolean;
  readonly removed: RemovalPlan['remove'];
  readonly kept: RemovalPlan['keep'];
  readonly blobs: SweptFiles;
  readonly leftovers: readonly Leftover[];
  /** What went, or would go: workspaces, rows, blobs, leftovers. Bytes. */
  readonly bytes: number;
  /** The data folder as it was found and as it is left. Bytes. */
  readonly before: number;
  readonly after: number;
  readonly databaseBefore: number;
  readonly databaseAfter: number;
}

export interface GarbageDeps extends Omit<RemovalDeps, 'mayGo' | 'worktrees'>, FactsDeps {
  readonly home: string;
}

/** While a session runs, a blob may wait so long for the row that refers to it. */
const graceMilliseconds = 60 * 60_000;

/** Clocks of file systems run a little behind. */
const marginMilliseconds = 1000;

/** Archives and removes what the retention does not keep. Safe beside running sessions and beside itself. */
export function collectGarbage(deps: GarbageDeps, options: GarbageOptions): GarbageReport {
  const { home, database, clock } = deps;
  const file = join(home, 'capstan.db');
  const now = clock.now();
  const before = folderSize(home);
  const databaseBefore = databaseSize(file);
  if (!options.dryRun) ageFromNow(deps, now);
  const bytesOf = (sessionId: string) =>
    workspaceBytes(join(home, 'worktrees'), sessionId) + rowBytes(database, sessionId);
  const plan = planRemovals(sessionFacts(deps), options.retention, { now, totalBytes: before, bytesOf });
  const removed = options.dryRun ? plan.remove : removeAll(deps, plan.remove, options);
  const busy = sessionFacts(deps).some((facts) => facts.held);
  const without = removed.map(({ sessionId }) => sessionId);
  const oldest = now - marginMilliseconds - (busy ? graceMilliseconds : 0);
  const blobs = sweepBlobs({ database, folder: join(home, 'blobs'), before: oldest, dryRun: options.dryRun, without });
  const { unappliedMilliseconds } = options.retention;
  const leftovers = sweepLeftovers({ database, home, now, unappliedMilliseconds, dryRun: options.dryRun });
  if (!options.dryRun) compactDatabase(database, file, !busy);
  const sizes = [...removed, ...leftovers, blobs].map((part) => part.bytes);
  return {
    dryRun: options.dryRun,
    removed,
    kept: plan.keep,
    blobs,
    leftovers,
    bytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
    before,
    after: folderSize(home),
    databaseBefore,
    databaseAfter: databaseSize(file),
  };
}

function removeAll(
  deps: GarbageDeps,
  plan: readonly Removal[],
  { retention, signal }: GarbageOptions,
): readonly Removal[] {
  // Asked again under the lease: what was planned may have been taken up since.
  const mayGo = (sessionId: string) => {
    const facts = sessionFacts(deps, sessionId)[0];
    if (facts === undefined) return false;
    const verdict = judgeSession({ ...facts, held: false }, retention, deps.clock.now());
    return verdict.action === 'remove' || verdict.early;
  };
  const removal = { ...deps, mayGo, worktrees: join(deps.home, 'worktrees') };
  return plan.filter(({ sessionId }) => signal?.aborted !== true && removeSession(removal, sessionId));
}

/** A use that lies in the future was noted before the clock was set back: it counts as now, and ages from here. */
function ageFromNow({ database }: GarbageDeps, now: number): void {
  database.write(() => database.run('UPDATE sessions SET last_used_at = ?1 WHERE last_used_at > ?1', now));
}
