import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BlobStore, CapstanError, type Clock } from '@capstan/contracts';
import { readIfPresent, syncFolder, writeSynced } from './durable-file.ts';
import { storageError } from './storage-error.ts';

export interface BlobStoreDeps {
  readonly folder: string;
  readonly clock: Clock;
  /** Runs alone among all processes of the data folder: what keeps `put` and the removal of old blobs apart. */
  readonly alone: <Result>(work: () => Result) => Result;
}

/**
 * Files by the sha256 of their bytes: `<folder>/aa/<sha256>`. A blob appears whole or not at all, and its bytes are on
 * the disk before `put` returns. A damaged blob is reported by `get` and mended by `put`. The time of a file is that of
 * its last `put`, so that what is about to be referred to is not taken for old.
 */
export class FileBlobStore implements BlobStore {
  readonly #deps: BlobStoreDeps;

  constructor(deps: BlobStoreDeps) {
    this.#deps = deps;
  }

  async put(bytes: Uint8Array): Promise<string> {
    return this.#deps.alone(() => this.putNow(bytes));
  }

  async get(sha256: string): Promise<Uint8Array | undefined> {
    return this.getNow(sha256);
  }

  /** For callers that are in a write transaction of the database. */
  putNow(bytes: Uint8Array): string {
    const digest = sha256Of(bytes);
    const file = this.fileOf(digest);
    try {
      const present = readIfPresent(file);
      if (present === undefined || sha256Of(present) !== digest) writeWhole(file, bytes);
      this.#freshen(file);
      return digest;
    } catch (error) {
      throw storageError(error, file);
    }
  }

  getNow(sha256: string): Uint8Array | undefined {
    // Anything else could name a file outside the store.
    if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
    const file = this.fileOf(sha256);
    const bytes = readOrFail(file);
    if (bytes === undefined || sha256Of(bytes) === sha256) return bytes;
    throw new CapstanError('storage-failed', `The bytes of a blob do not match its digest: ${file}`, {
      hint: 'The file was changed or damaged; bring back a copy of the data folder',
    });
  }

  /** The text of a blob; undefined when it is missing or damaged. */
  textIfWhole(sha256: string): string | undefined {
    try {
      const bytes = this.getNow(sha256);
      return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
    } catch (error) {
      if (error instanceof CapstanError) return undefined;
      throw error;
    }
  }

  #freshen(file: string): void {
    const seconds = this.#deps.clock.now() / 1000;
    utimesSync(file, seconds, seconds);
  }

  /** Where a blob is, or would be. */
  fileOf(digest: string): string {
    return join(this.#deps.folder, digest.slice(0, 2), digest);
  }
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function readOrFail(file: string): Uint8Array | undefined {
  try {
    return readIfPresent(file);
  } catch (error) {
    throw storageError(error, file);
  }
}

function writeWhole(file: string, bytes: Uint8Array): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `.${randomBytes(8).toString('hex')}.tmp`);
  try {
    writeSynced(temporary, bytes);
    renameSync(temporary, file);
    syncFolder(folder);
  } finally {
    rmSync(temporary, { force: true });
  }
}
