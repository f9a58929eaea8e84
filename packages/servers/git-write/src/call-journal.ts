import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@capstan/workspace';
import { z } from 'zod';
import { EffectReply } from './effect-reply.ts';

/** What is written down before a call has its effect, and its reply afterwards. */
export const CallRecord = z.strictObject({
  argumentDigest: z.string(),
  /** How things were before: by them the same call after a crash sees whether it was carried out. */
  facts: z.record(z.string(), z.string()),
  reply: EffectReply.optional(),
});
export type CallRecord = z.infer<typeof CallRecord>;

/** The calls of this server by their ids, each in a file that is written whole. */
export class CallJournal {
  readonly #folder: string;

  constructor(stateFolder: string) {
    this.#folder = join(stateFolder, 'calls');
  }

  async open(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
  }

  async load(id: string): Promise<CallRecord | undefined> {
    try {
      return CallRecord.parse(JSON.parse(await readFile(this.#path(id), 'utf8')));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Durable when it resolves. */
  async save(id: string, record: CallRecord): Promise<void> {
    const fresh = `${this.#path(id)}.new`;
    await writeFile(fresh, JSON.stringify(record), { flush: true, mode: 0o600 });
    await rename(fresh, this.#path(id));
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}
