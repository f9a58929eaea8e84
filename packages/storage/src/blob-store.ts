import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BlobStore, CapstanError } from '@capstan/contracts';
import { readIfPresent, syncFolder, writeSynced } from './durable-file.ts';
import { storageError } from './storage-error.ts';

/**
 * Files by the sha256 of their bytes: `<folder>/aa/<sha256>`. A blob appears whole or not at all, and its bytes are on
 * the disk before `put` returns. A damaged blob is reported by `get` and mended by `put`.
 */
export class FileBlobStore implements BlobStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(bytes: Uint8Array): Promise<string> {
    return this.putNow(bytes);
  }

  async get(sha256: string): Promise<Uint8Array | undefined> {
    return this.getNow(sha256);
  }

  putNow(bytes: Uint8Array): string {
    const digest = sha256Of(bytes);
    const file = this.#fileOf(digest);
    try {
      const present = readIfPresent(file);
      if (present === undefined || sha256Of(present) !== digest) writeWhole(file, bytes);
      return digest;
    } catch (error) {
      throw storageError(error, file);
    }
  }

  getNow(sha256: string): Uint8Array | undefined {
    // Anything else could name a file outside the store.
    if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
    const file = this.#fileOf(sha256);
    const bytes = readOrFail(file);
    if (bytes === undefined || sha256Of(bytes) === sha256) return bytes;
    throw new CapstanError('storage-failed', `The bytes of a blob do not match its digest: ${file}`, {
      hint: 'The file was changed or damaged; bring back a copy of the data folder',
    });
  }

  #fileOf(digest: string): string {
    return join(this.#folder, digest.slice(0, 2), digest);
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
