import { z } from 'zod';

/** Who could have written a piece of content, from most to least trusted (requirement G6). */
export const Integrity = z.enum(['user', 'workspace', 'external']);
export type Integrity = z.infer<typeof Integrity>;

export const Secrecy = z.enum(['public', 'secret']);
export type Secrecy = z.infer<typeof Secrecy>;

/** Travels with every piece of content: who could have written it, whether it may leave, and where it came from. */
export const Label = z.strictObject({
  integrity: Integrity,
  secrecy: Secrecy,
  origin: z.string().max(500).describe('Where the content came from, e.g. "task" or "fs-read:src/a.ts"'),
});
export type Label = z.infer<typeof Label>;

/** How far arguments of a call can be trusted: unknown counts as tainted once external content was read. */
export const Taint = z.enum(['clean', 'tainted', 'unknown']);
export type Taint = z.infer<typeof Taint>;

const integrityOrder: readonly Integrity[] = ['user', 'workspace', 'external'];

/** The label of content made from both parts: the lower integrity and the higher secrecy win. */
export function joinLabels(first: Label, second: Label): Label {
  const weaker = integrityOrder.indexOf(first.integrity) >= integrityOrder.indexOf(second.integrity) ? first : second;
  return {
    integrity: weaker.integrity,
    secrecy: first.secrecy === 'secret' || second.secrecy === 'secret' ? 'secret' : 'public',
    origin: weaker.origin,
  };
}
