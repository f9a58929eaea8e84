import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deltaChannelHistoryTests, specTest } from '@langchain/langgraph-checkpoint-validation';
import type { Database } from '../src/database.ts';
import { openDatabase } from '../src/open-database.ts';
import { SqliteCheckpointer } from '../src/sqlite-checkpointer.ts';

const opened = new Map<SqliteCheckpointer, { folder: string; database: Database }>();

const initializer = {
  checkpointerName: 'SqliteCheckpointer',
  createCheckpointer(): SqliteCheckpointer {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-checkpointer-'));
    const { database } = openDatabase({
      file: join(folder, 'capstan.db'),
      busyMilliseconds: 1000,
      clock: Date,
      notice: () => {},
      onCreate: () => {},
      refuseLost: () => {},
      blobText: () => undefined,
    });
    const checkpointer = new SqliteCheckpointer(database);
    opened.set(checkpointer, { folder, database });
    return checkpointer;
  },
  destroyCheckpointer(checkpointer: SqliteCheckpointer): void {
    const { folder, database } = opened.get(checkpointer) ?? {};
    database?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true });
    opened.delete(checkpointer);
  },
};

specTest(initializer);
deltaChannelHistoryTests(initializer);
