import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CapstanError, type Clock, type SteadyClock } from '@capstan/contracts';
import { sha256 } from '@capstan/workspace';
import type { EndpointOptions } from './embeddings/embedding-endpoint.ts';
import { EmbeddingIndex } from './embeddings/embedding-index.ts';
import { buildReferenceGraph, type ReferenceGraph } from './map/reference-graph.ts';
import { type Refreshed, refreshIndex } from './refresh/refresh-index.ts';
import { isDamage, openIndexFile, setAside } from './store/index-file.ts';
import { IndexStore } from './store/index-store.ts';
import { VectorStore } from './store/vector-store.ts';
import { WordCounter } from './words/word-counter.ts';

export interface KnowledgeOptions {
  readonly root: string;
  /** Holds the index; must lie outside of the root. */
  readonly stateFolder: string;
  readonly clock: Clock & SteadyClock;
  /** Absent: ranking by keywords alone. */
  readonly embeddings?: EndpointOptions;
}

/** How far an answer from the index can be relied on. */
export interface IndexState {
  readonly files: number;
  /** Milliseconds since all files were last compared with the index. Absent: not yet. */
  readonly checkedMsAgo?: number;
  /** False while the index is being made: files are missing. */
  readonly complete: boolean;
  /** What happened to the index file that somebody should know. */
  readonly note?: string;
  /** What the last look at the files has found. */
  readonly last?: Refreshed;
}

/** How long a call waits for the files to be compared with the index. Milliseconds. */
export interface Patience {
  /** As long as they never were. */
  readonly firstMs: number;
  /** Afterwards: what changed while nobody waited is seen by the next call. */
  readonly againMs: number;
}

/** What the operations on an index work with. */
export interface OpenIndex {
  readonly store: IndexStore;
  readonly embeddings: EmbeddingIndex | undefined;
}

interface Opened {
  readonly index: OpenIndex;
  readonly inode: number;
}

/** A look at the files that is younger is not repeated. */
const freshMs = 1_000;

/** The index of one root: opened when it is first needed, kept up to date, made anew when its file is unusable. */
export class KnowledgeIndex {
  readonly #options: KnowledgeOptions;
  readonly #file: string;
  readonly #counter = new WordCounter();
  #open: Opened | undefined;
  #running: Promise<void> | undefined;
  #checkedAt: number | undefined;
  #last: Refreshed | undefined;
  #note: string | undefined;
  #graph: { readonly generation: string; readonly graph: ReferenceGraph } | undefined;
  readonly #ending = new AbortController();

  /** Throws `bad-config` when the state would lie in the root. */
  constructor(options: KnowledgeOptions) {
    this.#options = options;
    mkdirSync(options.stateFolder, { recursive: true, mode: 0o700 });
    const [state, root] = [realpathSync(options.stateFolder), realpathSync(options.root)];
    if (state === root || state.startsWith(`${root}/`)) {
      throw new CapstanError('bad-config', 'The state folder must lie outside the workspace.');
    }
    this.#file = join(state, `knowledge-${sha256(root).slice(0, 16)}.db`);
  }

  /**
   * Works with an index that was compared with the files just now, or, when that takes too long, with what there is: the
   * state says which. An index file that turns out to be damaged is set aside, and the work is done once more.
   */
  async use<Result>(
    patience: Patience,
    work: (index: OpenIndex, state: IndexState) => Result | Promise<Result>,
  ): Promise<Result> {
    const opened = this.#guardedOpen();
    try {
      return await this.#attempt(patience, work);
    } catch (error) {
      if (!isDamage(error)) throw indexFailure(error);
      // Of several calls that meet the damage, the first one replaces the file.
      if (this.#open === opened) this.#replace(opened);
    }
    try {
      return await this.#attempt(patience, work);
    } catch (error) {
      throw indexFailure(error);
    }
  }

  /** Who refers to whom, made when the index has changed since it was made last. */
  graph({ store }: OpenIndex): ReferenceGraph {
    const generation = store.generation();
    if (this.#graph?.generation !== generation) this.#graph = { generation, graph: buildReferenceGraph(store) };
    return this.#graph.graph;
  }

  /** Ends what is on its way; what was written stays. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#running?.catch(() => undefined);
    await this.#open?.index.embeddings?.settle();
    this.#open?.index.store.close();
    this.#open = undefined;
  }

  async #attempt<Result>(
    patience: Patience,
    work: (index: OpenIndex, state: IndexState) => Result | Promise<Result>,
  ): Promise<Result> {
    await this.#refresh(patience);
    const { index } = this.#opened();
    return work(index, this.#state(index.store));
  }

  #state(store: IndexStore): IndexState {
    const now = this.#options.clock.steady();
    return {
      files: store.count(),
      complete: this.#checkedAt !== undefined,
      ...(this.#checkedAt === undefined ? {} : { checkedMsAgo: Math.round(now - this.#checkedAt) }),
      ...(this.#note === undefined ? {} : { note: this.#note }),
      ...(this.#last === undefined ? {} : { last: this.#last }),
    };
  }

  async #refresh(patience: Patience): Promise<void> {
    const { clock } = this.#options;
    if (this.#running === undefined) {
      if (this.#checkedAt !== undefined && clock.steady() - this.#checkedAt < freshMs) return;
      this.#running = this.#look().finally(() => {
        this.#running = undefined;
      });
    }
    const { promise: waited, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#checkedAt === undefined ? patience.firstMs : patience.againMs);
    // Whoever does not wait to the end hears of a failure from the next call.
    this.#running.catch(() => undefined);
    await Promise.race([this.#running, waited]).finally(() => clearTimeout(timer));
  }

  async #look(): Promise<void> {
    const { root, clock } = this.#options;
    const { store, embeddings } = this.#opened().index;
    const began = clock.steady();
    const refreshed = await refreshIndex(
      { root, store, counter: this.#counter, now: () => clock.now() },
      this.#ending.signal,
    );
    this.#last = refreshed;
    // What changed since the walk began may have been passed already.
    this.#checkedAt = began;
    embeddings?.catchUp();
  }

  #opened(): Opened {
    if (this.#open !== undefined) return this.#open;
    const { connection, note } = openIndexFile(this.#file);
    this.#note = note ?? this.#note;
    const store = new IndexStore(connection);
    const { embeddings: endpoint, root, clock } = this.#options;
    const vectors = new VectorStore(connection);
    const embeddings =
      endpoint === undefined
        ? undefined
        : new EmbeddingIndex({ root, endpoint, store, vectors, steady: () => clock.steady() });
    this.#open = { index: { store, embeddings }, inode: statSync(this.#file).ino };
    return this.#open;
  }

  #guardedOpen(): Opened {
    try {
      return this.#opened();
    } catch (error) {
      throw indexFailure(error);
    }
  }

  #replace({ index, inode }: Opened): void {
    this.#open = undefined;
    this.#checkedAt = undefined;
    this.#graph = undefined;
    index.store.close();
    const aside = setAside(this.#file, inode);
    this.#note = `The index file was damaged; it was set aside as ${aside} and the index is made anew.`;
  }
}

/** What SQLite says about the disk and about other processes, as a failure that says what to do. */
function indexFailure(error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return error;
  const code = error.errcode & 0xff;
  if (code === 5 || code === 6) {
    const hint = 'Call again; if it stays, look for a process that hangs on the state folder';
    return new CapstanError('storage-failed', 'Another process holds the index for too long.', {
      level: 'retryable',
      hint,
      cause: error,
    });
  }
  const hint =
    'Check the space, the owner and the permissions of the state folder; the index can be removed, it is made anew';
  return new CapstanError('storage-failed', `The index cannot be used: ${error.message}.`, { hint, cause: error });
}
