import { z } from 'zod';

/** The reply of every tool of this server: what happened, or what would. */
export const EffectReply = z.strictObject({
  dryRun: z.boolean(),
  summary: z.string(),
  items: z.array(z.string()),
  totalItems: z.number(),
  commit: z.string().optional(),
  keptId: z.string().optional(),
  notes: z.array(z.string()),
});
export type EffectReply = z.infer<typeof EffectReply>;

/** What a tool says beside `dryRun`. */
export interface Described {
  readonly summary: string;
  readonly items: readonly string[];
  readonly commit?: string;
  readonly keptId?: string;
  readonly notes?: readonly string[];
}

/** "1 file", "2 files" (pure). */
export function countFiles(count: number): string {
  return `${count} ${count === 1 ? 'file' : 'files'}`;
}

/** More are counted and not named. */
const mostItems = 200;

export function describeEffect({ items, notes = [], ...rest }: Described, dryRun: boolean): EffectReply {
  return { dryRun, ...rest, items: items.slice(0, mostItems), totalItems: items.length, notes: [...notes] };
}

/** The reply as text (pure). */
export function showEffect(reply: EffectReply): string {
  const more = reply.totalItems - reply.items.length;
  return [
    reply.dryRun ? `Dry run: nothing was done. This would happen: ${reply.summary}` : reply.summary,
    ...reply.items.map((item) => `- ${oneLine(item)}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
    ...reply.notes.map((note) => `(${note})`),
    ...(reply.keptId === undefined ? [] : [`To get back what was there: git_bring_back with keptId ${reply.keptId}.`]),
  ].join('\n');
}

function oneLine(text: string): string {
  return /[\p{Cc}"]/u.test(text) ? JSON.stringify(text) : text;
}
