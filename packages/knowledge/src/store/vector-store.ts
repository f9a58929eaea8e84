import type { DatabaseSync } from 'node:sqlite';

/** A passage of a file, with the key of its vector: a digest of model and text. */
export interface PassageRow {
  readonly line: number;
  readonly key: Buffer;
}

export interface StoredVector {
  readonly path: string;
  readonly line: number;
  readonly vector: Float32Array;
}

/** Passages and vectors of one index. A vector is kept by what it was made from, so that the same text costs once. */
export class VectorStore {
  readonly #connection: DatabaseSync;

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  /** Text files that were not cut into passages yet. */
  filesWithout(limit: number): string[] {
    const sql = `SELECT path FROM file WHERE content = 'text' AND size > 0
      AND NOT EXISTS (SELECT 1 FROM passage WHERE passage.file = file.id) ORDER BY path LIMIT ?`;
    return this.#connection
      .prepare(sql)
      .all(limit)
      .map((row) => String(row.path));
  }

  putPassages(path: string, passages: readonly PassageRow[]): void {
    const id = this.#connection.prepare('SELECT id FROM file WHERE path = ?').get(path)?.id;
    if (id === undefined || id === null) return;
    const insert = this.#connection.prepare(
      'INSERT OR REPLACE INTO passage (file, position, line, key) VALUES (?, ?, ?, ?)',
    );
    for (const [position, { line, key }] of passages.entries()) insert.run(id, position, line, key);
  }

  has(key: Buffer): boolean {
    return this.#connection.prepare('SELECT 1 FROM vector WHERE key = ?').get(key) !== undefined;
  }

  putVectors(model: string, vectors: readonly { readonly key: Buffer; readonly vector: Float32Array }[]): void {
    const insert = this.#connection.prepare('INSERT OR REPLACE INTO vector (key, model, numbers) VALUES (?, ?, ?)');
    for (const { key, vector } of vectors) {
      insert.run(key, model, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
    }
  }

  /** Vectors whose text is in no file any more. */
  removeUnused(): void {
    this.#connection.exec('DELETE FROM vector WHERE key NOT IN (SELECT key FROM passage)');
  }

  vectors(model: string): StoredVector[] {
    const sql = `SELECT file.path AS path, passage.line AS line, vector.numbers AS numbers FROM vector
      JOIN passage ON passage.key = vector.key JOIN file ON file.id = passage.file
      WHERE vector.model = ? ORDER BY file.path, passage.position`;
    return this.#connection
      .prepare(sql)
      .all(model)
      .map((row) => ({
        path: String(row.path),
        line: Number(row.line),
        vector: readVector(row.numbers),
      }));
  }
}

function readVector(stored: unknown): Float32Array {
  if (!(stored instanceof Uint8Array)) return new Float32Array();
  return new Float32Array(new Uint8Array(stored).buffer, 0, Math.floor(stored.byteLength / 4));
}
