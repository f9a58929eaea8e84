import { z } from 'zod';

/** One replacement in one file, by exact text: `before` must be found at `offset` (UTF-16 units) or the edit is refused. */
export const TextEdit = z.strictObject({
  path: z.string().describe('Relative to the workspace, e.g. "src/sum.mjs"'),
  offset: z.number().int().nonnegative(),
  before: z.string(),
  after: z.string(),
});
export type TextEdit = z.infer<typeof TextEdit>;

/** A candidate repair (requirement N1). */
export const Patch = z.strictObject({
  id: z.string().describe('Digest of its edits'),
  edits: z.array(TextEdit).min(1),
  operator: z.string().describe('Which rule made it, e.g. "comparison/strictness"'),
  line: z.number().int().positive(),
  suspicion: z.number().describe('Of the line that it changes: 0 to 1'),
  prior: z.number().describe('Of its operator: 0 to 1'),
});
export type Patch = z.infer<typeof Patch>;
