import { join, resolve } from 'node:path';
import type {
  Approval,
  AuditRow,
  BlobStore,
  Clock,
  EventRow,
  Ids,
  Lease,
  ModelAnswer,
  RunRow,
  SessionRow,
  SessionStorage,
  Task,
  ToolResult,
} from '@capstan/contracts';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { type DecidedApproval, decideApproval, readApprovals, SqliteApprovalLedger } from './approval-ledger.ts';
import { ArchiveFolder, type SessionArchive } from './archive.ts';
import { ensureAuditKey, readAuditKey } from './audit-key.ts';
import {
  type AuditFilter,
  type AuditVerdict,
  createAuditHead,
  readAudit,
  SqliteAuditLog,
  verifyAudit,
} from './audit-log.ts';
import { FileBlobStore } from './blob-store.ts';

import { prepareDataFolder } from './data-folder.ts';
import { readEvents, SqliteEventLog } from './event-log.ts';
import { findDamage } from './find-damage.ts';
import { collectGarbage, type GarbageOptions, type GarbageReport } from './garbage/collect-garbage.ts';
import { readSession } from './garbage/read-session.ts';
import { SqliteJournal } from './journal.ts';
import { Leases } from './leases.ts';
import { removeBackups } from './migrations/database-backup.ts';
import { openDatabase } from './open-database.ts';
import { processHolder } from './process-holder.ts';
import { readSummary, type SessionSummary } from './session-summary.ts';
import { type RunChange, type SessionDraft, Sessions } from './sessions.ts';

export interface StorageOptions {
  /** The data folder; made with mode 0700 when absent. */
  readonly home: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Applied once, to the text of events, approvals and audited arguments as they are written. */
  readonly redact: (text: string) => string;
  /** How long a write waits for other processes before it fails as retryable. */
  readonly busyMilliseconds?: number;
  /** Told what happened to the data folder on opening (a migration, its backup), in sentences for people. */
  readonly notice?: (sentence: string) => void;
}

/** One data folder. Any number of processes may have it open at once. */
export interface Storage {
  readonly blobs: BlobStore;
  /** Random 32 bytes of this data folder, for keyed digests. */
  readonly auditKey: Uint8Array;
  createSession(draft: SessionDraft): Promise<SessionRow>;
  findSession(sessionId: string): Promise<SessionRow | undefined>;
  listSessions(): Promise<SessionRow[]>;
  createRun(sessionId: string, task: Task, lease: Lease): Promise<RunRow>;
  findRun(runId: string): Promise<RunRow | undefined>;
  latestRun(sessionId: string): Promise<RunRow | undefined>;
  updateRun(lease: Lease, runId: string, change: RunChange): Promise<void>;
  /** Undefined when a live holder has the session, the caller itself included. A provably dead one loses it at once. */
  acquireLease(sessionId: string, holder: string, milliseconds: number): Promise<Lease | undefined>;
  renewLease(lease: Lease, milliseconds: number): Promise<boolean>;
  releaseLease(lease: Lease): Promise<void>;
  /** The same for upkeep, which is no use of the session: it grows older all the same. */
  acquireUpkeepLease(sessionId: string, holder: string, milliseconds: number): Promise<Lease | undefined>;
  releaseUpkeepLease(lease: Lease): Promise<void>;
  /** Whether a process drives the session now, as far as can be told from here. */
  isHeld(sessionId: string): Promise<boolean>;
  /** Everything that the lease may write; each write throws `lease-lost` once the lease is gone. */
  session(lease: Lease): SessionStorage;
  /** LangGraph's saver; `thread_id` is the run id. Writes are fenced by the lease. */
  checkpointer(lease: Lease): Promise<BaseCheckpointSaver>;
  /**
   * Rows after a number; of an archived session from its archive. Where a body is lost, a `blob-miss` stands in its
   * place: what can be read is read.
   */
  readEvents(sessionId: string, after?: number): Promise<EventRow[]>;
  /** Of every session or of one, oldest first, each as it stands now; readers need no lease. */
  readApprovals(sessionId?: string): Promise<Approval[]>;
  /** What a list says of a session, without reading its whole log. */
  summariseSession(sessionId: string): Promise<SessionSummary>;
  /** What stays of a session that was removed by `collectGarbage`. */
  readArchive(sessionId: string): Promise<SessionArchive | undefined>;
  /** Archives and removes sessions, blobs and leftovers that the retention does not keep. */
  collectGarbage(options: GarbageOptions): Promise<GarbageReport>;
  /** Looks for damage of the database and missing blobs: a sentence for each; none when all is well. */
  findDamage(): Promise<string[]>;
  /** The row as it is afterwards, and whether this answer counted. Undefined when nothing was asked. */
  decideApproval(
    sessionId: string,
    callId: string,
    argumentDigest: string,
    decision: 'approved' | 'denied',
    by: string,
  ): Promise<DecidedApproval | undefined>;
  readAudit(filter?: AuditFilter): Promise<AuditRow[]>;
  verifyAudit(): Promise<AuditVerdict>;
  close(): void;
}

/** Opens or creates a data folder. Throws `storage-failed` or `audit-broken` with a hint; nothing is overwritten then. */
export function openStorage(options: StorageOptions): Storage {
  const { clock, ids, redact, notice = () => {} } = options;
  const home = resolve(options.home);
  const file = join(home, 'capstan.db');
  const keyFile = join(home, 'audit.key');
  const folder = prepareDataFolder(home, notice);
  const blobs = new FileBlobStore({ folder: join(home, 'blobs'), clock, alone: (work) => database.write(work) });
  const { database, migrated } = openDatabase({
    file,
    clock,
    notice,
    busyMilliseconds: options.busyMilliseconds ?? 10_000,
    onCreate: (created) => createAuditHead(created, ensureAuditKey(keyFile)),
    refuseLost: folder.refuseLost,
    blobText: (sha256) => blobs.textIfWhole(sha256),
  });
  const key = readKeyOrClose(keyFile, database);
  if (!migrated) removeBackups(file);
  const archive = new ArchiveFolder(join(home, 'archive'));
  const leases = new Leases(database, clock);
  const sessions = new Sessions(database, leases, { clock, ids, home });
  const deps = { database, leases, sessions, blobs, clock, redact, key, archive };
  const garbage = {
    ...deps,
    home,
    holder: processHolder(),
    readSession: (sessionId: string) => readSession(deps, sessionId),
  };
  return {
    blobs,
    auditKey: key,
    createSession: async (draft) => sessions.create(draft),
    findSession: async (sessionId) => sessions.find(sessionId),
    listSessions: async () => sessions.list(),
    createRun: async (sessionId, task, lease) => sessions.createRun(sessionId, task, lease),
    findRun: async (runId) => sessions.findRun(runId),
    latestRun: async (sessionId) => sessions.latestRun(sessionId),
    updateRun: async (lease, runId, change) => sessions.updateRun(lease, runId, change),
    acquireLease: async (sessionId, holder, milliseconds) => leases.acquire(sessionId, holder, milliseconds),
    renewLease: async (lease, milliseconds) => leases.renew(lease, milliseconds),
    releaseLease: async (lease) => leases.release(lease),
    acquireUpkeepLease: async (sessionId, holder, milliseconds) =>
      database.write(() => leases.acquireUnused(sessionId, holder, milliseconds)),
    releaseUpkeepLease: async (lease) => leases.releaseUnused(lease),
    isHeld: async (sessionId) => leases.isHeld(sessionId),
    session: (lease) => ({
      lease,
      events: new SqliteEventLog(deps, lease),
      calls: new SqliteJournal<ToolResult>(database, leases, lease, 'call'),
      answers: new SqliteJournal<ModelAnswer>(database, leases, lease, 'answer'),
      approvals: new SqliteApprovalLedger(deps, lease),
      audit: new SqliteAuditLog(deps, lease),
    }),
    checkpointer: async (lease) => {
      // LangGraph takes a third of a second to load, and most commands only read.
      const { SqliteCheckpointer } = await import('./sqlite-checkpointer.ts');
      return new SqliteCheckpointer(database, { fence: () => leases.check(lease) });
    },
    readEvents: async (sessionId, after = 0) => readEvents(deps, sessionId, after),
    readApprovals: async (sessionId) => readApprovals(deps, sessionId),
    summariseSession: async (sessionId) => readSummary(deps, sessionId),
    readArchive: async (sessionId) => archive.read(sessionId),
    collectGarbage: async (garbageOptions) => collectGarbage(garbage, garbageOptions),
    findDamage: async () => findDamage(database, blobs),
    decideApproval: async (sessionId, callId, argumentDigest, decision, by) =>
      decideApproval(deps, { sessionId, callId, argumentDigest, decision, by }),
    readAudit: async (filter = {}) => readAudit(database, filter),
    verifyAudit: async () => verifyAudit(database, key),
    close: () => database.close(),
  };
}

function readKeyOrClose(file: string, database: { close(): void }): Uint8Array {
  try {
    return readAuditKey(file);
  } catch (error) {
    database.close();
    throw error;
  }
}
