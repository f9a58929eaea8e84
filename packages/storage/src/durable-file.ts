import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

export function readIfPresent(file: string): Uint8Array | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Writes a new private file whose bytes are on the disk when it returns. */
export function writeSynced(file: string, bytes: Uint8Array): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes names that were added to a folder last. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
