import type { Database } from './database.ts';

/** Blobs that a stored text refers to, as the gateway writes it: `capstan-blob:<sha256>`. */
export function referencesIn(stored: string): string[] {
  return [...stored.matchAll(/capstan-blob:([0-9a-f]{64})(?![0-9a-f])/g)].map(([, sha256 = '']) => sha256);
}

/** Notes that a session needs these blobs; part of the transaction that stores the text which refers to them. */
export function recordUses(database: Database, sessionId: string, digests: readonly string[]): void {
  const sql = 'INSERT INTO blob_uses (session_id, sha256) VALUES (?, ?) ON CONFLICT DO NOTHING';
  for (const sha256 of new Set(digests)) database.run(sql, sessionId, sha256);
}
