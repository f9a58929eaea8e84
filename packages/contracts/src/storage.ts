import type { Approval, Grant } from './approval.ts';
import type { EventBody, EventRow } from './event.ts';
import type { ModelAnswer } from './model.ts';
import type { Task } from './task.ts';
import type { ToolResult } from './tool.ts';

/** The right to write to a session: one holder at a time, fenced by its epoch in every write transaction (requirement S4). */
export interface Lease {
  readonly sessionId: string;
  readonly holder: string;
  readonly epoch: number;
}

export interface SessionRow {
  readonly sessionId: string;
  readonly repository: string;
  /** Folder of the session's workspace. */
  readonly workspace: string;
  readonly createdAt: number;
  readonly status: 'open' | 'closed';
}

export interface RunRow {
  readonly runId: string;
  readonly sessionId: string;
  readonly task: Task;
  readonly status: 'queued' | 'running' | 'waiting' | 'ended';
  /** How often a process has driven this run: 1 for an unbroken one. */
  readonly lives: number;
  readonly exitCode: number | null;
  readonly createdAt: number;
}

/** Append-only; the truth that people see. */
export interface EventLog {
  /**
   * Appends once per `key` in a session: a second append with the same key returns the first row and writes nothing,
   * so that a node that runs again after a crash leaves no duplicates.
   */
  append(key: string, body: EventBody): Promise<EventRow>;
  /** Rows with a number greater than `after`, in order. */
  read(after?: number): Promise<EventRow[]>;
}

export type JournalEntry<Result> =
  | { readonly state: 'new' }
  | { readonly state: 'intended'; readonly sameDigest: boolean }
  | { readonly state: 'done'; readonly sameDigest: boolean; readonly result: Result };

/** Intent before, outcome after: how a finished effect is not done twice (requirement S3). */
export interface Journal<Result> {
  /** Records the intent and says what was known of `key` before. */
  begin(key: string, digest: string): Promise<JournalEntry<Result>>;
  complete(key: string, result: Result): Promise<void>;
}

export interface ApprovalLedger {
  /** Adds a waiting row, or returns the row that exists for this call and digest. */
  request(approval: Omit<Approval, 'sessionId' | 'status' | 'requestedAt'>): Promise<Approval>;
  find(callId: string, argumentDigest: string): Promise<Approval | undefined>;
  /** Turns an approved, unexpired row into `used`, once: false when there was none. */
  consume(callId: string, argumentDigest: string): Promise<boolean>;
  waiting(): Promise<Approval[]>;
  addGrant(grant: Omit<Grant, 'sessionId'>): Promise<void>;
  grants(): Promise<Grant[]>;
}

export interface AuditDraft {
  readonly kind: 'decision' | 'result';
  readonly actor: string;
  readonly agent: string;
  readonly server: string;
  readonly tool: string;
  readonly callId: string;
  /** Keyed HMAC over the raw canonical arguments. */
  readonly argumentDigest: string;
  /** Redacted text of the arguments. */
  readonly arguments: string;
  readonly decision: string;
  readonly rule: string;
  readonly approvedBy?: string;
  readonly resultDigest?: string;
  readonly durationMs?: number;
}

export interface AuditRow extends AuditDraft {
  readonly number: number;
  readonly at: number;
  readonly sessionId: string;
  readonly previousHash: string;
  readonly hash: string;
}

export interface AuditLog {
  append(draft: AuditDraft): Promise<AuditRow>;
}

/** Payloads above `sizes.blobThreshold`, by sha256. */
export interface BlobStore {
  put(bytes: Uint8Array): Promise<string>;
  /** Undefined when there is no such blob. Throws `storage-failed` when its bytes do not match the digest. */
  get(sha256: string): Promise<Uint8Array | undefined>;
}

/** Everything that one lease may write. Each write fails with `lease-lost` when the epoch has moved on. */
export interface SessionStorage {
  readonly lease: Lease;
  readonly events: EventLog;
  readonly calls: Journal<ToolResult>;
  readonly answers: Journal<ModelAnswer>;
  readonly approvals: ApprovalLedger;
  readonly audit: AuditLog;
}
