import { recordUses, referencesIn } from '../blob-uses.ts';
import { optionalText, text } from '../row.ts';
import type { Migration } from './migration.ts';

const tables = `
ALTER TABLE sessions ADD COLUMN last_used_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN archived_at INTEGER;
CREATE TABLE blob_uses (
  session_id TEXT NOT NULL REFERENCES sessions, sha256 TEXT NOT NULL, PRIMARY KEY (session_id, sha256)
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_uses_of_blob ON blob_uses (sha256);
UPDATE sessions SET last_used_at = max(created_at, coalesce(
  (SELECT max(at) FROM events WHERE events.session_id = sessions.session_id), 0));
`;

/** What retention needs: when a session was last used, and which blobs it refers to. */
export const toVersion2: Migration = {
  to: 2,
  purpose: 'knows when a session was last used and which blobs it needs, so that old ones can be removed',
  apply(database, { blobText }) {
    database.execute(tables);
    database.each('SELECT session_id, body, blob FROM events', (row) => {
      const blob = optionalText(row, 'blob');
      const body = blob === undefined ? text(row, 'body') : (blobText(blob) ?? '');
      recordUses(database, text(row, 'session_id'), [...(blob === undefined ? [] : [blob]), ...referencesIn(body)]);
      return true;
    });
    database.each('SELECT session_id, result FROM journal WHERE result IS NOT NULL', (row) => {
      recordUses(database, text(row, 'session_id'), referencesIn(text(row, 'result')));
      return true;
    });
  },
};
