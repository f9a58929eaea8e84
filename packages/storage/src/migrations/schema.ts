/** Kept in `PRAGMA user_version`. A data folder of a later version is refused, never written to. */
export const schemaVersion = 2;

/** Marks the file as ours ("Caps"), so that a foreign database is not taken for a new one. */
export const applicationId = 0x43617073;

/**
 * The whole database as a new data folder gets it. Strict tables: a value of the wrong type is an error, not a surprise
 * for a reader. A change here needs a migration that leads to the very same tables: columns are added at the end.
 */
export const schema = `
CREATE TABLE sessions (
  session_id TEXT PRIMARY KEY, repository TEXT NOT NULL, workspace TEXT NOT NULL,
  created_at INTEGER NOT NULL, status TEXT NOT NULL, last_used_at INTEGER NOT NULL DEFAULT 0, archived_at INTEGER
) STRICT;
CREATE TABLE leases (
  session_id TEXT PRIMARY KEY REFERENCES sessions, holder TEXT, epoch INTEGER NOT NULL, expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE runs (
  number INTEGER PRIMARY KEY, run_id TEXT NOT NULL UNIQUE, session_id TEXT NOT NULL REFERENCES sessions,
  task TEXT NOT NULL, status TEXT NOT NULL, lives INTEGER NOT NULL, exit_code INTEGER, created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX runs_of_session ON runs (session_id, number);
CREATE TABLE events (
  session_id TEXT NOT NULL REFERENCES sessions, number INTEGER NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL,
  body TEXT, blob TEXT, PRIMARY KEY (session_id, number), UNIQUE (session_id, key), CHECK ((body IS NULL) <> (blob IS NULL))
) STRICT;
CREATE TABLE blob_uses (
  session_id TEXT NOT NULL REFERENCES sessions, sha256 TEXT NOT NULL, PRIMARY KEY (session_id, sha256)
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_uses_of_blob ON blob_uses (sha256);
CREATE TABLE journal (
  session_id TEXT NOT NULL REFERENCES sessions, kind TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL,
  result TEXT, PRIMARY KEY (session_id, kind, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE approvals (
  session_id TEXT NOT NULL REFERENCES sessions, call_id TEXT NOT NULL, argument_digest TEXT NOT NULL, tool TEXT NOT NULL,
  rule TEXT NOT NULL, summary TEXT NOT NULL, status TEXT NOT NULL, requested_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL, decided_by TEXT, decided_at INTEGER, PRIMARY KEY (session_id, call_id, argument_digest)
) STRICT, WITHOUT ROWID;
CREATE TABLE grants (
  session_id TEXT NOT NULL REFERENCES sessions, id TEXT NOT NULL, tool TEXT NOT NULL, pattern TEXT,
  granted_by TEXT NOT NULL, expires_at INTEGER, PRIMARY KEY (session_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE audit (
  number INTEGER PRIMARY KEY, at INTEGER NOT NULL, session_id TEXT NOT NULL, kind TEXT NOT NULL, actor TEXT NOT NULL,
  agent TEXT NOT NULL, server TEXT NOT NULL, tool TEXT NOT NULL, call_id TEXT NOT NULL, argument_digest TEXT NOT NULL,
  arguments TEXT NOT NULL, decision TEXT NOT NULL, rule TEXT NOT NULL, approved_by TEXT, result_digest TEXT,
  duration_ms REAL, previous_hash TEXT NOT NULL, hash TEXT NOT NULL
) STRICT;
CREATE INDEX audit_of_session ON audit (session_id, number);
CREATE TABLE audit_head (
  id INTEGER PRIMARY KEY CHECK (id = 1), count INTEGER NOT NULL, hash TEXT NOT NULL, seal TEXT NOT NULL
) STRICT;
CREATE TABLE checkpoints (
  thread_id TEXT NOT NULL, namespace TEXT NOT NULL, checkpoint_id TEXT NOT NULL, parent_id TEXT,
  type TEXT NOT NULL, checkpoint BLOB NOT NULL, metadata_type TEXT NOT NULL, metadata BLOB NOT NULL,
  channels TEXT NOT NULL, PRIMARY KEY (thread_id, namespace, checkpoint_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE channel_values (
  thread_id TEXT NOT NULL, namespace TEXT NOT NULL, checkpoint_id TEXT NOT NULL, channel TEXT NOT NULL,
  type TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (thread_id, namespace, checkpoint_id, channel)
) STRICT, WITHOUT ROWID;
CREATE TABLE checkpoint_writes (
  thread_id TEXT NOT NULL, namespace TEXT NOT NULL, checkpoint_id TEXT NOT NULL, task_id TEXT NOT NULL,
  position INTEGER NOT NULL, task_path TEXT NOT NULL, channel TEXT NOT NULL, type TEXT NOT NULL, value BLOB NOT NULL,
  PRIMARY KEY (thread_id, namespace, checkpoint_id, task_id, position)
) STRICT, WITHOUT ROWID;
`;
