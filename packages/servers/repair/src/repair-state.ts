import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson } from '@capstan/contracts';
import type { z } from 'zod';

/** Answers of this server as files, so that a restarted one gives the same. */
export interface RepairState {
  /** Undefined when there is none under this id, or when it does not fit its schema. */
  read<Schema extends z.ZodType>(id: string, schema: Schema): Promise<z.output<Schema> | undefined>;
  /** Replaces what was there, whole or not at all. */
  write(id: string, value: unknown): Promise<void>;
}

const ID = /^[a-z]+-[0-9a-f]{16,64}$/;

/** Keeps files in `folder`, which is made when it is first written to. */
export function openState(folder: string): RepairState {
  const pathOf = (id: string): string => join(folder, `${id}.json`);
  let writes = 0;
  return {
    read: async (id, schema) => {
      if (!ID.test(id)) return undefined;
      const text = await readFile(pathOf(id), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      if (text === undefined) return undefined;
      const parsed = schema.safeParse(JSON.parse(text));
      return parsed.success ? parsed.data : undefined;
    },
    write: async (id, value) => {
      await mkdir(folder, { recursive: true });
      writes += 1;
      const part = `${pathOf(id)}.${process.pid}-${writes}`;
      await writeFile(part, JSON.stringify(value), { mode: 0o600 });
      await rename(part, pathOf(id));
    },
  };
}

/** An id that says what it was made from: equal values have equal ids. */
export function digestId(prefix: string, value: unknown): string {
  const digest = createHash('sha256').update(canonicalJson(value)).digest('hex');
  return `${prefix}-${digest.slice(0, 24)}`;
}
