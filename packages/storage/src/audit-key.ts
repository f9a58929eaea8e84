import { randomBytes } from 'node:crypto';
import { linkSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CapstanError } from '@capstan/contracts';
import { hasCode, readIfPresent, syncFolder, writeSynced } from './durable-file.ts';
import { storageError } from './storage-error.ts';

const keyBytes = 32;

/** Makes the key of a new data folder, unless there is one. Of several processes that try, one wins; the others change nothing. */
export function ensureAuditKey(file: string): Uint8Array {
  const temporary = join(dirname(file), `.audit-key-${randomBytes(8).toString('hex')}.tmp`);
  try {
    if (readIfPresent(file) === undefined) {
      writeSynced(temporary, randomBytes(keyBytes));
      // A hard link makes the name with its whole content, or fails because the name exists.
      linkSync(temporary, file);
      syncFolder(dirname(file));
    }
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw storageError(error, file);
  } finally {
    rmSync(temporary, { force: true });
  }
  return readAuditKey(file);
}

/** Throws `audit-broken` when the key of a folder in use is missing or damaged: a new one would hide what happened. */
export function readAuditKey(file: string): Uint8Array {
  const key = read(file);
  if (key?.length === keyBytes) return key;
  throw new CapstanError('audit-broken', `The audit key is ${key === undefined ? 'missing' : 'damaged'}: ${file}`, {
    hint: 'Bring audit.key back from a copy; without it the audit log can be neither verified nor continued',
  });
}

function read(file: string): Uint8Array | undefined {
  try {
    return readIfPresent(file);
  } catch (error) {
    throw storageError(error, file);
  }
}
