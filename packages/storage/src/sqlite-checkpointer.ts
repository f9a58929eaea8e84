import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  copyCheckpoint,
  maxChannelVersion,
  type PendingWrite,
  type SerializerProtocol,
  TASKS,
  WRITES_IDX_MAP,
} from '@langchain/langgraph-checkpoint';
import {
  type CheckpointKey,
  CheckpointRows,
  type StoredCheckpoint,
  type StoredValue,
  type StoredWrite,
} from './checkpoint-rows.ts';
import type { Database } from './database.ts';

export interface CheckpointerOptions {
  /** Called inside the transaction of every write; throws when the writer has lost its right. */
  readonly fence?: () => void;
  readonly serializer?: SerializerProtocol;
}

/**
 * LangGraph's checkpoints in the database of the data folder; `thread_id` is the run. A checkpoint stores the channels
 * that its step changed and refers to earlier checkpoints for the others, so that a step costs the same at any depth.
 */
export class SqliteCheckpointer extends BaseCheckpointSaver {
  readonly #rows: CheckpointRows;
  readonly #fence: () => void;

  constructor(database: Database, options: CheckpointerOptions = {}) {
    super(options.serializer);
    this.#rows = new CheckpointRows(database);
    this.#fence = options.fence ?? (() => {});
  }

  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { threadId, namespace, checkpointId } = keyOf(config);
    if (threadId === undefined) return undefined;
    const stored = this.#rows.find(threadId, namespace ?? '', checkpointId);
    return stored === undefined ? undefined : this.#tuple(stored);
  }

  async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const before = options.before === undefined ? undefined : keyOf(options.before).checkpointId;
    const filter = Object.entries(options.filter ?? {});
    let left = options.limit ?? Number.POSITIVE_INFINITY;
    for (const stored of this.#rows.list({ ...keyOf(config), before })) {
      if (left <= 0) return;
      const metadata: Record<string, unknown> = await this.#load(stored.metadata);
      if (!filter.every(([name, value]) => metadata[name] === value)) continue;
      left -= 1;
      yield await this.#tuple(stored);
    }
  }

  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const { threadId, namespace = '', checkpointId: parentId } = keyOf(config);
    if (threadId === undefined) throw new TypeError('A checkpoint needs configurable.thread_id');
    const parent = parentId === undefined ? undefined : this.#rows.channels(threadId, namespace, parentId);
    const changed = new Set(
      Object.keys(checkpoint.channel_values).filter(
        (channel) => channel in newVersions || metadata.source === 'fork' || isStale(parent, checkpoint, channel),
      ),
    );
    const channels: StoredCheckpoint['channels'] = {};
    for (const channel of Object.keys(checkpoint.channel_values)) {
      const version = checkpoint.channel_versions[channel] ?? 0;
      const owner = changed.has(channel) ? checkpoint.id : parent?.[channel]?.owner;
      if (owner !== undefined) channels[channel] = { owner, version };
    }
    const values = await Promise.all(
      [...changed].map(async (channel) => ({ channel, value: await this.#dump(checkpoint.channel_values[channel]) })),
    );
    const stored: StoredCheckpoint = {
      key: { threadId, namespace, checkpointId: checkpoint.id },
      parentId,
      checkpoint: await this.#dump({ ...copyCheckpoint(checkpoint), channel_values: {} }),
      metadata: await this.#dump(metadata),
      channels,
    };
    this.#rows.insert(stored, values, this.#fence);
    return configOf(stored.key);
  }

  async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string, taskPath = ''): Promise<void> {
    const { threadId, namespace = '', checkpointId } = keyOf(config);
    if (threadId === undefined || checkpointId === undefined) {
      throw new TypeError('Writes need configurable.thread_id and configurable.checkpoint_id');
    }
    const rows = await Promise.all(
      writes.map(async ([channel, value], index): Promise<StoredWrite> => {
        const position = WRITES_IDX_MAP[channel] ?? index;
        return { taskId, position, taskPath, channel, value: await this.#dump(value) };
      }),
    );
    this.#rows.insertWrites({ threadId, namespace, checkpointId }, rows, this.#fence);
  }

  async deleteThread(threadId: string): Promise<void> {
    this.#rows.deleteThread(threadId, this.#fence);
  }

  async #tuple(stored: StoredCheckpoint): Promise<CheckpointTuple> {
    const { key, parentId } = stored;
    const checkpoint: Checkpoint = await this.#load(stored.checkpoint);
    for (const { channel, value } of this.#rows.values(stored)) {
      checkpoint.channel_values[channel] = await this.#load(value);
    }
    if (checkpoint.v < 4 && parentId !== undefined)
      await this.#addPendingSends(checkpoint, { ...key, checkpointId: parentId });
    const tuple = {
      config: configOf(key),
      checkpoint,
      metadata: await this.#load<CheckpointMetadata>(stored.metadata),
      pendingWrites: await this.#writes(key),
    };
    return parentId === undefined ? tuple : { ...tuple, parentConfig: configOf({ ...key, checkpointId: parentId }) };
  }

  /** Before format 4, sends waited in the writes of the parent. */
  async #addPendingSends(checkpoint: Checkpoint, parent: CheckpointKey): Promise<void> {
    const writes = await this.#writes(parent);
    checkpoint.channel_values[TASKS] = writes.filter(([, channel]) => channel === TASKS).map(([, , value]) => value);
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
  }

  async #writes(key: CheckpointKey): Promise<CheckpointPendingWrite[]> {
    return Promise.all(
      this.#rows
        .writes(key)
        .map(async (row): Promise<CheckpointPendingWrite> => [row.taskId, row.channel, await this.#load(row.value)]),
    );
  }

  async #dump(value: unknown): Promise<StoredValue> {
    const [type, bytes] = await this.serde.dumpsTyped(value);
    return { type, bytes };
  }

  async #load<Value>(stored: StoredValue): Promise<Value> {
    return (await this.serde.loadsTyped(stored.type, stored.bytes)) as Value;
  }
}

/** An unchanged channel that the parent cannot give (the graph skipped a checkpoint) is stored once more. */
function isStale(parent: StoredCheckpoint['channels'] | undefined, checkpoint: Checkpoint, channel: string): boolean {
  return parent !== undefined && parent[channel]?.version !== (checkpoint.channel_versions[channel] ?? 0);
}

function keyOf(config: RunnableConfig): { threadId?: string; namespace?: string; checkpointId?: string } {
  const { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: checkpointId } = config.configurable ?? {};
  return {
    ...(typeof threadId === 'string' ? { threadId } : {}),
    ...(typeof namespace === 'string' ? { namespace } : {}),
    ...(typeof checkpointId === 'string' && checkpointId !== '' ? { checkpointId } : {}),
  };
}

function configOf(key: CheckpointKey): RunnableConfig {
  return { configurable: { thread_id: key.threadId, checkpoint_ns: key.namespace, checkpoint_id: key.checkpointId } };
}
