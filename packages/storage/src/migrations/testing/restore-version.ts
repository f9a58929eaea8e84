import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

/** For tests: makes a data folder as a Capstan of an earlier version left it, from `fixtures/version-<number>/`. */
export function restoreVersion(version: number, home: string): void {
  const fixture = fileURLToPath(new URL(`../fixtures/version-${version}/`, import.meta.url));
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(join(home, 'capstan.db'), { enableForeignKeyConstraints: false });
  database.exec('PRAGMA journal_mode = WAL');
  database.exec(readFileSync(join(fixture, 'capstan.sql'), 'utf8'));
  database.close();
  const key = readFileSync(join(fixture, 'audit-key.hex'), 'utf8').trim();
  writeFileSync(join(home, 'audit.key'), Buffer.from(key, 'hex'), { mode: 0o600 });
  cpSync(join(fixture, 'blobs'), join(home, 'blobs'), { recursive: true });
}
