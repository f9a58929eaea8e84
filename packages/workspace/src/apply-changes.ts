import { changeCheckout } from './changes/change-checkout.ts';
import { ChangeJournal } from './changes/change-journal.ts';
import { type CheckoutChange, standingApply } from './changes/checkout-change.ts';
import { mergeAll } from './changes/merge-file.ts';
import { takeBackBrokenOff } from './changes/take-back.ts';
import { changesBetween, sameEntry, type TreeChange } from './git/tree-entries.ts';
import { planApply } from './plan-apply.ts';
import { isHeld, type SessionWorkspace } from './session-workspace.ts';

/** How an apply ended. Only `applied` has changed the checkout. */
export type ApplyOutcome =
  /** `number` is that of the change in the session's journal. */
  | { readonly kind: 'applied'; readonly files: readonly string[]; readonly number: number }
  | { readonly kind: 'nothing' }
  /** The checkout is as the session wants it already; with a number, because that change made it so. */
  | { readonly kind: 'present'; readonly files: readonly string[]; readonly number?: number }
  | { readonly kind: 'held'; readonly files: readonly string[] }
  | { readonly kind: 'moved'; readonly files: readonly string[] }
  | { readonly kind: 'read-only'; readonly reason: string };

/**
 * Brings the session's changes into the checkout: all of them or none. A checkout that moved on is merged where the
 * changes do not touch, and refused otherwise; nothing of the user's is overwritten (requirement A6). Trust-bearing
 * files hold everything until `reviewed`. One that was broken off is taken back first, so that it is safe to repeat.
 */
export async function applyChanges(
  workspace: SessionWorkspace,
  options: { readonly reviewed: boolean },
): Promise<ApplyOutcome> {
  const { git, root, folder, repository, baseTree } = workspace;
  const sessionTree = await workspace.snapshot();
  const changes = await changesBetween(git, root, baseTree, sessionTree);
  if (changes.length === 0) return { kind: 'nothing' };
  const held = changes.filter(isHeld).map((change) => change.path);
  if (held.length > 0 && !options.reviewed) return { kind: 'held', files: held };
  const files = changes.map((change) => change.path);
  const brokenOff = await takeBackBrokenOff(workspace);
  if (brokenOff.conflicts.length > 0) return { kind: 'moved', files: brokenOff.conflicts };
  const checkoutTree = await git.snapshotCheckout(repository);
  const checkout = await changesBetween(git, root, baseTree, checkoutTree);
  const standing = standingApply(await new ChangeJournal(folder).all());
  const plan = planApply(sinceLastApply(changes, checkout, standing), checkout);
  const merged = await mergeAll(workspace, plan.steps);
  const conflicts = [...plan.conflicts, ...merged.conflicts];
  if (conflicts.length > 0) return { kind: 'moved', files: conflicts };
  if (merged.steps.length === 0) {
    return { kind: 'present', files, ...(standing ? { number: standing.number } : {}) };
  }
  const outcome = await changeCheckout(workspace, {
    kind: 'apply',
    steps: merged.steps,
    bytes: new Map(),
    emptied: 'all',
  });
  return outcome.kind === 'changed' ? { kind: 'applied', files, number: outcome.number } : outcome;
}

/** What an earlier apply of this session put there is not the user's: it is what the session starts from now. */
function sinceLastApply(
  changes: readonly TreeChange[],
  checkout: readonly TreeChange[],
  standing: CheckoutChange | undefined,
): TreeChange[] {
  return changes.map((change) => {
    const applied = standing?.steps.find(({ path }) => path === change.path);
    const now = checkout.find(({ path }) => path === change.path);
    return applied && now && sameEntry(applied.after, now.after) ? { ...change, before: now.after } : change;
  });
}
