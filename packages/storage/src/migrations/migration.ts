import type { Database } from '../database.ts';

/** What a migration may use besides the tables. */
export interface MigrationContext {
  /** Text of a blob; undefined when it is missing or damaged: a migration goes on without it. */
  readonly blobText: (sha256: string) => string | undefined;
}

/** One step forward, from version `to - 1`. Runs in a transaction that also sets the version; there is no way back. */
export interface Migration {
  readonly to: number;
  /** What changes, for the person who waits: completes "The database was brought to version N: it ...". */
  readonly purpose: string;
  readonly apply: (database: Database, context: MigrationContext) => void;
}
