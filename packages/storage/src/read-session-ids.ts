import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Ids of the newest sessions, newest first, for a shell that completes a word: reads only, makes and migrates nothing, and
 * answers with none where the data folder cannot be read.
 */
export function readSessionIds(home: string, most: number): string[] {
  const file = join(home, 'capstan.db');
  if (!existsSync(file)) return [];
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 200 });
    try {
      const sql = 'SELECT session_id FROM sessions ORDER BY created_at DESC, rowid DESC LIMIT ?';
      return database
        .prepare(sql)
        .all(most)
        .map((row) => String(row.session_id));
    } finally {
      database.close();
    }
  } catch {
    return []; // Busy, damaged or of another program: whoever opens it says so.
  }
}
