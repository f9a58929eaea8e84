import { CapstanError, type Clock } from '@capstan/contracts';
import type { Database } from '../database.ts';
import { holderState } from '../process-holder.ts';
import { number, text } from '../row.ts';
import { backUpDatabase } from './database-backup.ts';
import type { Migration, MigrationContext } from './migration.ts';
import { migrations } from './migrations.ts';
import { schemaVersion } from './schema.ts';
import { schemaDifference } from './schema-difference.ts';

export interface MigrationOptions extends MigrationContext {
  readonly file: string;
  readonly clock: Clock;
  /** Told what was done, in a sentence for people. */
  readonly notice: (sentence: string) => void;
  /** For tests: other steps than the real ones. */
  readonly steps?: readonly Migration[];
}

/**
 * Brings a database of an earlier version to the present one, step by step, each in a transaction of its own. Of several
 * processes one goes ahead, the others wait for the lock and find nothing left to do. Before the first step the database
 * is copied. Whatever fails or is killed leaves the version that was reached, whole.
 */
export function migrateDatabase(database: Database, options: MigrationOptions): void {
  let backup: { readonly file: string; readonly bytes: number } | undefined;
  const done: Migration[] = [];
  for (const step of options.steps ?? migrations) {
    database.write(() => {
      const version = userVersion(database);
      if (version !== step.to - 1) return;
      refuseInUse(database, options.clock);
      backup ??= backUpDatabase(options.file, version);
      step.apply(database, options);
      database.execute(`PRAGMA user_version = ${step.to}`);
      checkResult(database, step);
      done.push(step);
    });
  }
  if (backup === undefined || done.length === 0) return;
  options.notice(
    `The database was brought to version ${done.at(-1)?.to}: it ${done.map((step) => step.purpose).join('; it ')}. ` +
      `A copy of how it was stays until the next start: ${backup.file} (${backup.bytes} bytes)`,
  );
}

function userVersion(database: Database): number {
  const row = database.get('PRAGMA user_version');
  return row === undefined ? 0 : number(row, 'user_version');
}

/** An earlier Capstan that still runs would write by the rules of its own version. */
function refuseInUse(database: Database, clock: Clock): void {
  for (const row of database.all('SELECT session_id, holder, expires_at FROM leases WHERE holder IS NOT NULL')) {
    const state = holderState(text(row, 'holder'));
    if (state === 'dead' || (state === 'unknown' && number(row, 'expires_at') <= clock.now())) continue;
    throw new CapstanError('storage-failed', `An earlier Capstan is running session ${text(row, 'session_id')}`, {
      hint: 'Nothing was changed. The database has to be migrated: wait until that run has ended, then try again',
    });
  }
}

function checkResult(database: Database, { to }: Migration): void {
  const dangling = database.all('PRAGMA foreign_key_check')[0];
  if (dangling !== undefined) throw failed(to, `a row of "${text(dangling, 'table')}" refers to what is not there`);
  const difference = to === schemaVersion ? schemaDifference(database) : undefined;
  if (difference !== undefined) throw failed(to, `"${difference}" is not as in a new database`);
}

function failed(version: number, reason: string): CapstanError {
  return new CapstanError('storage-failed', `The migration of the database to version ${version} failed: ${reason}`, {
    hint: 'Nothing was changed. Go on with the earlier Capstan, and report this',
  });
}
