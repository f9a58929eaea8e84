import { join } from 'node:path';
import {
  CapstanError,
  type Clock,
  type Ids,
  type Lease,
  type RunRow,
  type SessionRow,
  type Task,
} from '@capstan/contracts';
import type { Database } from './database.ts';
import type { Leases } from './leases.ts';
import { json, number, optionalNumber, type Row, text } from './row.ts';

export type RunChange = Partial<Pick<RunRow, 'status' | 'lives' | 'exitCode'>>;

export interface SessionDraft {
  readonly repository: string;
  /** `<home>/worktrees/<sessionId>` by default. */
  readonly workspace?: string;
  readonly sessionId?: string;
}

/** Rows of sessions and runs. */
export class Sessions {
  readonly #database: Database;
  readonly #leases: Leases;
  readonly #deps: { readonly clock: Clock; readonly ids: Ids; readonly home: string };

  constructor(database: Database, leases: Leases, deps: { clock: Clock; ids: Ids; home: string }) {
    this.#database = database;
    this.#leases = leases;
    this.#deps = deps;
  }

  create(draft: SessionDraft): SessionRow {
    const sessionId = checkId(draft.sessionId ?? this.#deps.ids.next('session'));
    const workspace = draft.workspace ?? join(this.#deps.home, 'worktrees', sessionId);
    const row: SessionRow = {
      sessionId,
      repository: draft.repository,
      workspace,
      createdAt: this.#deps.clock.now(),
      status: 'open',
    };
    const sql = `INSERT INTO sessions (session_id, repository, workspace, created_at, status, last_used_at)
      VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (session_id) DO NOTHING`;
    const { repository, createdAt, status } = row;
    const added = this.#database.write(() =>
      this.#database.run(sql, sessionId, repository, workspace, createdAt, status, createdAt),
    );
    if (added === 0) throw new CapstanError('usage', `There is a session ${sessionId} already`);
    return row;
  }

  find(sessionId: string): SessionRow | undefined {
    const row = this.#database.get('SELECT * FROM sessions WHERE session_id = ?', sessionId);
    return row === undefined ? undefined : sessionRow(row);
  }

  list(): SessionRow[] {
    return this.#database.all('SELECT * FROM sessions ORDER BY created_at, rowid').map(sessionRow);
  }

  createRun(sessionId: string, task: Task, lease: Lease): RunRow {
    if (lease.sessionId !== sessionId)
      throw new CapstanError('internal', `The lease is not one of session ${sessionId}`);
    const run = {
      runId: this.#deps.ids.next('run'),
      sessionId,
      task,
      status: 'queued',
      lives: 0,
      exitCode: null,
      createdAt: this.#deps.clock.now(),
    } as const;
    const sql = `INSERT INTO runs (run_id, session_id, task, status, lives, exit_code, created_at) VALUES (?, ?, ?, ?, 0, NULL, ?)`;
    this.#database.write(() => {
      this.#leases.check(lease);
      this.#database.run(sql, run.runId, sessionId, JSON.stringify(task), run.status, run.createdAt);
    });
    return run;
  }

  findRun(runId: string): RunRow | undefined {
    const row = this.#database.get('SELECT * FROM runs WHERE run_id = ?', runId);
    return row === undefined ? undefined : runRow(row);
  }

  latestRun(sessionId: string): RunRow | undefined {
    const sql = 'SELECT * FROM runs WHERE session_id = ? ORDER BY number DESC LIMIT 1';
    const row = this.#database.get(sql, sessionId);
    return row === undefined ? undefined : runRow(row);
  }

  isArchived(sessionId: string): boolean {
    const sql = 'SELECT 1 FROM sessions WHERE session_id = ? AND archived_at IS NOT NULL';
    return this.#database.get(sql, sessionId) !== undefined;
  }

  listRuns(sessionId: string): RunRow[] {
    return this.#database.all('SELECT * FROM runs WHERE session_id = ? ORDER BY number', sessionId).map(runRow);
  }

  updateRun(lease: Lease, runId: string, change: RunChange): void {
    this.#database.write(() => {
      this.#leases.check(lease);
      const run = this.findRun(runId);
      if (run?.sessionId !== lease.sessionId) {
        throw new CapstanError('unknown-session', `There is no run ${runId} in session ${lease.sessionId}`);
      }
      const { status, lives, exitCode } = { ...run, ...change };
      const sql = 'UPDATE runs SET status = ?, lives = ?, exit_code = ? WHERE run_id = ?';
      this.#database.run(sql, status, lives, exitCode, runId);
    });
  }
}

/** Session ids become names of folders. */
function checkId(sessionId: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(sessionId)) return sessionId;
  throw new CapstanError('usage', `Not a session id: ${JSON.stringify(sessionId.slice(0, 100))}`, {
    hint: 'Letters, digits, dots, hyphens and underscores, at most 100',
  });
}

function sessionRow(row: Row): SessionRow {
  return {
    sessionId: text(row, 'session_id'),
    repository: text(row, 'repository'),
    workspace: text(row, 'workspace'),
    createdAt: number(row, 'created_at'),
    status: text(row, 'status') as SessionRow['status'],
  };
}

function runRow(row: Row): RunRow {
  return {
    runId: text(row, 'run_id'),
    sessionId: text(row, 'session_id'),
    task: json<Task>(row, 'task'),
    status: text(row, 'status') as RunRow['status'],
    lives: number(row, 'lives'),
    exitCode: optionalNumber(row, 'exit_code') ?? null,
    createdAt: number(row, 'created_at'),
  };
}
