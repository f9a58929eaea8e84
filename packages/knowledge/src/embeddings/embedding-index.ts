import { createHash } from 'node:crypto';
import { decodeText, foldLineEnds, readFileInside } from '@capstan/workspace';
import type { IndexStore } from '../store/index-store.ts';
import type { StoredVector, VectorStore } from '../store/vector-store.ts';
import { cutPassages } from './cut-passages.ts';
import { type EndpointOptions, embedTexts } from './embedding-endpoint.ts';

/** Files by how much their passages resemble a question, or why there are none. */
export type Resemblance =
  | { readonly paths: readonly string[]; readonly covered: number }
  | { readonly problem: string };

export interface EmbeddingDeps {
  readonly root: string;
  readonly endpoint: EndpointOptions;
  readonly store: IndexStore;
  readonly vectors: VectorStore;
  /** Milliseconds of a clock that nobody sets. */
  readonly steady: () => number;
}

/** A question waits so long for its vector; more and keywords alone are quicker. */
const queryMs = 3_000;
const batchMs = 30_000;
const batchTexts = 32;
/** After a failure the endpoint is left alone for so long. */
const pauseMs = 30_000;
const nearest = 50;

/** Vectors of all passages, made little by little behind the back of the calls, and asked by them. */
export class EmbeddingIndex {
  readonly #deps: EmbeddingDeps;
  #running: Promise<void> | undefined;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #problem = '';
  #cached: { readonly generation: string; readonly vectors: readonly StoredVector[] } | undefined;

  constructor(deps: EmbeddingDeps) {
    this.#deps = deps;
  }

  /** Makes the vectors that are missing; returns at once. What is made is kept when the process dies. */
  catchUp(): void {
    if (this.#running !== undefined || this.#isPaused()) return;
    this.#running = this.#makeMissing()
      .catch((error: unknown) => this.#pause(error instanceof Error ? error.message : String(error)))
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** The files that resemble a text most. */
  async resembling(text: string): Promise<Resemblance> {
    if (this.#isPaused()) return { problem: this.#problem };
    const embedded = await embedTexts(this.#deps.endpoint, [text], queryMs);
    if ('problem' in embedded) {
      this.#pause(embedded.problem);
      return embedded;
    }
    const [question] = embedded.vectors;
    const stored = this.#stored();
    if (question === undefined || stored.length === 0) return { problem: 'no file has a vector yet' };
    const comparable = stored.filter(({ vector }) => vector.length === question.length);
    if (comparable.length === 0) {
      return {
        problem: `the vectors of the endpoint have another length (${question.length}) than those of the index`,
      };
    }
    return { paths: nearestFiles(question, comparable), covered: new Set(comparable.map(({ path }) => path)).size };
  }

  /** For tests and for an orderly end: until nothing is on its way. */
  async settle(): Promise<void> {
    await this.#running;
  }

  async #makeMissing(): Promise<void> {
    for (;;) {
      const paths = this.#deps.vectors.filesWithout(batchTexts);
      if (paths.length === 0) break;
      for (const path of paths) if (!(await this.#embedFile(path))) return;
    }
    this.#deps.vectors.removeUnused();
  }

  /** False when the endpoint failed. */
  async #embedFile(path: string): Promise<boolean> {
    const { root, endpoint, store, vectors } = this.#deps;
    const read = await readFileInside(root, path);
    const decoded = 'failure' in read ? undefined : decodeText(read.bytes);
    const passages = decoded === undefined ? [] : cutPassages(path, foldLineEnds(decoded.text).text);
    const keyed = passages.map(({ line, text }) => ({ line, text, key: this.#keyOf(text) }));
    const missing = keyed.filter(({ key }) => !vectors.has(key));
    const embedded =
      missing.length === 0
        ? { vectors: [] }
        : await embedTexts(
            endpoint,
            missing.map(({ text }) => text),
            batchMs,
          );
    if ('problem' in embedded) {
      this.#pause(embedded.problem);
      return false;
    }
    store.write(() => {
      vectors.putVectors(
        endpoint.model,
        missing.map(({ key }, index) => ({ key, vector: embedded.vectors[index] ?? new Float32Array() })),
      );
      // A file without passages (it vanished, or is blank) gets one without a vector, so that it is not tried for ever.
      vectors.putPassages(path, keyed.length > 0 ? keyed : [{ line: 1, key: Buffer.alloc(32) }]);
    });
    return true;
  }

  #keyOf(text: string): Buffer {
    return createHash('sha256').update(`${this.#deps.endpoint.model}\0${text}`).digest();
  }

  #stored(): readonly StoredVector[] {
    const generation = this.#deps.store.generation();
    if (this.#cached?.generation !== generation) {
      this.#cached = { generation, vectors: this.#deps.vectors.vectors(this.#deps.endpoint.model) };
    }
    return this.#cached.vectors;
  }

  #isPaused(): boolean {
    return this.#deps.steady() < this.#pausedUntil;
  }

  #pause(problem: string): void {
    this.#problem = problem;
    this.#pausedUntil = this.#deps.steady() + pauseMs;
  }
}

/** Each file by its best passage. */
function nearestFiles(question: Float32Array, stored: readonly StoredVector[]): string[] {
  const best = new Map<string, number>();
  for (const { path, vector } of stored) {
    const similarity = product(question, vector);
    if (similarity > (best.get(path) ?? 0)) best.set(path, similarity);
  }
  return [...best]
    .sort(([one, first], [other, second]) => second - first || (one < other ? -1 : 1))
    .slice(0, nearest)
    .map(([path]) => path);
}

function product(first: Float32Array, second: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < first.length; index += 1) sum += (first[index] ?? 0) * (second[index] ?? 0);
  return sum;
}
