import type { FileBlobStore } from './blob-store.ts';
import type { Database } from './database.ts';
import { text } from './row.ts';

/** Reads the whole database and every blob that is referred to. A sentence for each damage; none when all is well. */
export function findDamage(database: Database, blobs: FileBlobStore): string[] {
  const pages = database.all('PRAGMA quick_check').flatMap((row) => {
    const finding = text(row, 'quick_check');
    return finding === 'ok' ? [] : [`The database is damaged: ${finding.replaceAll('\n', ' ')}`];
  });
  if (pages.length > 0) return pages.slice(0, 3);
  const used = database.all('SELECT session_id, sha256 FROM blob_uses ORDER BY session_id, sha256');
  return used.flatMap((row) => {
    const sha256 = text(row, 'sha256');
    if (blobs.textIfWhole(sha256) !== undefined) return [];
    return [`A blob of session ${text(row, 'session_id')} is missing or damaged: ${blobs.fileOf(sha256)}`];
  });
}
