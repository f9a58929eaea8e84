import { compareWritesSortKeys, writesSortKey } from '@langchain/langgraph-checkpoint';
import type { Database } from './database.ts';
import { bytes, json, number, optionalText, type Row, text } from './row.ts';

export interface CheckpointKey {
  readonly threadId: string;
  readonly namespace: string;
  readonly checkpointId: string;
}

export interface StoredValue {
  readonly type: string;
  readonly bytes: Uint8Array;
}

export interface StoredCheckpoint {
  readonly key: CheckpointKey;
  readonly parentId: string | undefined;
  readonly checkpoint: StoredValue;
  readonly metadata: StoredValue;
  /** Channel -> the checkpoint that stored its value, and its version there. */
  readonly channels: Record<string, { readonly owner: string; readonly version: number | string }>;
}

export interface StoredWrite {
  readonly taskId: string;
  /** Negative for LangGraph's own channels (errors, interrupts), which are written over. */
  readonly position: number;
  readonly taskPath: string;
  readonly channel: string;
  readonly value: StoredValue;
}

const ofCheckpoint = 'thread_id = ? AND namespace = ? AND checkpoint_id = ?';

/** Checkpoints, channel values and pending writes as rows. Knows nothing of their content. */
export class CheckpointRows {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The newest one without an id: ids grow with time. */
  find(threadId: string, namespace: string, checkpointId?: string): StoredCheckpoint | undefined {
    const row =
      checkpointId === undefined
        ? this.#database.get(
            'SELECT * FROM checkpoints WHERE thread_id = ? AND namespace = ? ORDER BY checkpoint_id DESC LIMIT 1',
            threadId,
            namespace,
          )
        : this.#database.get(`SELECT * FROM checkpoints WHERE ${ofCheckpoint}`, threadId, namespace, checkpointId);
    return row === undefined ? undefined : checkpointOf(row);
  }

  channels(threadId: string, namespace: string, checkpointId: string): StoredCheckpoint['channels'] | undefined {
    const sql = `SELECT channels FROM checkpoints WHERE ${ofCheckpoint}`;
    const row = this.#database.get(sql, threadId, namespace, checkpointId);
    return row === undefined ? undefined : json(row, 'channels');
  }

  list(filter: Partial<CheckpointKey> & { before?: string | undefined }): StoredCheckpoint[] {
    const sql = `SELECT * FROM checkpoints WHERE (?1 IS NULL OR thread_id = ?1) AND (?2 IS NULL OR namespace = ?2)
      AND (?3 IS NULL OR checkpoint_id = ?3) AND (?4 IS NULL OR checkpoint_id < ?4) ORDER BY checkpoint_id DESC`;
    const { threadId = null, namespace = null, checkpointId = null, before = null } = filter;
    return this.#database.all(sql, threadId, namespace, checkpointId, before).map(checkpointOf);
  }

  values(stored: StoredCheckpoint): { channel: string; value: StoredValue }[] {
    const sql = `SELECT type, value FROM channel_values WHERE ${ofCheckpoint} AND channel = ?`;
    return Object.entries(stored.channels).flatMap(([channel, { owner }]) => {
      const row = this.#database.get(sql, stored.key.threadId, stored.key.namespace, owner, channel);
      return row === undefined ? [] : [{ channel, value: { type: text(row, 'type'), bytes: bytes(row, 'value') } }];
    });
  }

  insert(
    stored: StoredCheckpoint,
    values: readonly { channel: string; value: StoredValue }[],
    fence: () => void,
  ): void {
    const { threadId, namespace, checkpointId } = stored.key;
    this.#database.write(() => {
      fence();
      for (const { channel, value } of values) {
        const sql = 'INSERT OR REPLACE INTO channel_values VALUES (?, ?, ?, ?, ?, ?)';
        this.#database.run(sql, threadId, namespace, checkpointId, channel, value.type, value.bytes);
      }
      this.#database.run(
        'INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
        threadId,
        namespace,
        checkpointId,
        stored.parentId ?? null,
        stored.checkpoint.type,
        stored.checkpoint.bytes,
        stored.metadata.type,
        stored.metadata.bytes,
        JSON.stringify(stored.channels),
      );
    });
  }

  /** In the order in which a step applies them. */
  writes(key: CheckpointKey): StoredWrite[] {
    const sql = `SELECT * FROM checkpoint_writes WHERE ${ofCheckpoint}`;
    const rows = this.#database.all(sql, key.threadId, key.namespace, key.checkpointId).map(writeOf);
    return rows.sort((first, second) => compareWritesSortKeys(sortKey(first), sortKey(second)));
  }

  insertWrites(key: CheckpointKey, writes: readonly StoredWrite[], fence: () => void): void {
    this.#database.write(() => {
      fence();
      for (const { taskId, position, taskPath, channel, value } of writes) {
        // A task that runs again repeats its ordinary writes, which stay; a new interrupt or error takes the old one's place.
        const verb = position < 0 ? 'INSERT OR REPLACE' : 'INSERT OR IGNORE';
        this.#database.run(
          `${verb} INTO checkpoint_writes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          key.threadId,
          key.namespace,
          key.checkpointId,
          taskId,
          position,
          taskPath,
          channel,
          value.type,
          value.bytes,
        );
      }
    });
  }

  deleteThread(threadId: string, fence: () => void): void {
    this.#database.write(() => {
      fence();
      for (const table of ['checkpoints', 'channel_values', 'checkpoint_writes']) {
        this.#database.run(`DELETE FROM ${table} WHERE thread_id = ?`, threadId);
      }
    });
  }
}

function sortKey(write: StoredWrite): ReturnType<typeof writesSortKey> {
  return writesSortKey(write.taskPath, write.taskId, write.position);
}

function checkpointOf(row: Row): StoredCheckpoint {
  return {
    key: {
      threadId: text(row, 'thread_id'),
      namespace: text(row, 'namespace'),
      checkpointId: text(row, 'checkpoint_id'),
    },
    parentId: optionalText(row, 'parent_id'),
    checkpoint: { type: text(row, 'type'), bytes: bytes(row, 'checkpoint') },
    metadata: { type: text(row, 'metadata_type'), bytes: bytes(row, 'metadata') },
    channels: json(row, 'channels'),
  };
}

function writeOf(row: Row): StoredWrite {
  return {
    taskId: text(row, 'task_id'),
    position: number(row, 'position'),
    taskPath: text(row, 'task_path'),
    channel: text(row, 'channel'),
    value: { type: text(row, 'type'), bytes: bytes(row, 'value') },
  };
}
