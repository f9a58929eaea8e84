import type { SessionWorkspace } from '../session-workspace.ts';
import { changeCheckout } from './change-checkout.ts';
import { ChangeJournal } from './change-journal.ts';
import { type CheckoutChange, standingApply } from './checkout-change.ts';
import { planWayBack, takeBackBrokenOff } from './take-back.ts';

/** How an undo ended. Only `undone` has changed the checkout. */
export type UndoOutcome =
  /** `number` is that of the apply in the session's journal. */
  | { readonly kind: 'undone'; readonly files: readonly string[]; readonly number: number }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'moved'; readonly files: readonly string[] }
  | { readonly kind: 'read-only'; readonly reason: string };

/**
 * Takes the newest apply back: the files that it changed get what they had before, all of them or none. What somebody
 * changed in them since is merged where the changes do not touch, and refused otherwise. An apply that was broken off is
 * taken back too; an undo that was broken off is begun again.
 */
export async function undoChanges(workspace: SessionWorkspace): Promise<UndoOutcome> {
  const brokenOff = await takeBackBrokenOff(workspace);
  if (brokenOff.conflicts.length > 0) return { kind: 'moved', files: brokenOff.conflicts };
  if (brokenOff.change?.kind === 'apply') return undone(brokenOff.change);
  const journal = new ChangeJournal(workspace.folder);
  const apply = standingApply(await journal.all());
  if (!apply) return { kind: 'nothing' };
  const { steps, conflicts, bytes } = await planWayBack(workspace, apply);
  if (conflicts.length > 0) return { kind: 'moved', files: conflicts };
  const request = { kind: 'undo', of: apply.number, steps, bytes, emptied: apply.folders } as const;
  const outcome = await changeCheckout(workspace, request);
  if (outcome.kind !== 'changed') return outcome;
  // From here on the session's own tree has all that an apply needs.
  const settled = (await journal.all()).filter(({ number }) => number === apply.number || number === outcome.number);
  for (const change of settled) await journal.forgetBytes(change);
  return undone(apply);
}

function undone({ number, steps }: CheckoutChange): UndoOutcome {
  return { kind: 'undone', files: steps.map(({ path }) => path), number };
}
