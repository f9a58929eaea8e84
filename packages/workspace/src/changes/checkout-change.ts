import { z } from 'zod';

const Entry = z.strictObject({
  mode: z.string().describe('As git writes it: 100644, 100755, 120000 (symlink)'),
  blob: z.string().describe("Git's id of the bytes"),
});

const ChangeStep = z.strictObject({
  path: z.string(),
  /** What the checkout had; absent for a new file. Its bytes are kept. */
  before: Entry.optional(),
  /** All permission bits of a regular file, of which git knows one. */
  permissions: z.number().int().optional(),
  /** What the change puts there; absent for a removal. */
  after: Entry.optional(),
});

/**
 * One change of the checkout by Capstan, written down before the first file is touched. `begun` is one that was broken
 * off; `done` is the moment from which it counts; `taken-back` left nothing.
 */
export const CheckoutChange = z.strictObject({
  number: z.number().int().positive(),
  kind: z.enum(['apply', 'undo']),
  of: z.number().int().optional().describe('For `undo`: the number of the apply that it takes back'),
  state: z.enum(['begun', 'done', 'taken-back']),
  token: z.string().describe('Names its temporary files'),
  steps: z.array(ChangeStep),
  folders: z.array(z.string()).describe('Those that it makes, outermost first'),
});
export type CheckoutChange = z.infer<typeof CheckoutChange>;
export type ChangeStep = z.infer<typeof ChangeStep>;

/** The apply that undo takes back: the newest that is done and was not taken back by an undo. */
export function standingApply(changes: readonly CheckoutChange[]): CheckoutChange | undefined {
  const undone = new Set(changes.filter(({ kind, state }) => kind === 'undo' && state === 'done').map(({ of }) => of));
  return changes.findLast(({ kind, state, number }) => kind === 'apply' && state === 'done' && !undone.has(number));
}

/** Where a session's changes stand in the checkout. `broken-off`: a process died while it wrote them. */
export type ApplyState = 'none' | 'applied' | 'undone' | 'broken-off';

export function applyStateOf(changes: readonly CheckoutChange[]): ApplyState {
  if (changes.some(({ state }) => state === 'begun')) return 'broken-off';
  if (standingApply(changes)) return 'applied';
  return changes.some(({ kind, state }) => kind === 'undo' && state === 'done') ? 'undone' : 'none';
}
