import { z } from 'zod';

/** A sha256, or "absent" for no file. */
const State = z.string();

/** What is written down before a call touches anything, so that the same call has its effect once. */
export const ChangeRecord = z.strictObject({
  id: z.string(),
  tool: z.string(),
  argumentDigest: z.string(),
  changes: z.array(
    z.strictObject({ path: z.string(), before: State, after: State, mode: z.number().int().optional() }),
  ),
  reply: z.strictObject({ text: z.string(), structured: z.unknown() }),
});
export type ChangeRecord = z.infer<typeof ChangeRecord>;

export const absent = 'absent';

/** Where records and the contents they name are kept, outside the workspace. */
export interface ChangeJournal {
  load(id: string): Promise<{ readonly record: ChangeRecord; readonly done: boolean } | undefined>;
  /** Writes down an intent; durable when it resolves. */
  save(record: ChangeRecord): Promise<void>;
  /** Marks a saved record as carried out. */
  finish(id: string): Promise<void>;
  /** Forgets an intent that was taken back. */
  discard(id: string): Promise<void>;
  /** Durable when it resolves; gives the sha256. */
  keep(bytes: Uint8Array): Promise<string>;
  content(sha256: string): Promise<Buffer>;
}
