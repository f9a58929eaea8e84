import { rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CapstanError } from '@capstan/contracts';
import { readBlob, sameEntry, type TreeChange, writeBlob } from '../git/tree-entries.ts';
import { planApply, type ReadyStep } from '../plan-apply.ts';
import { readPresent, temporaryName } from '../put-entry.ts';
import type { SessionWorkspace } from '../session-workspace.ts';
import { carryOut, type PutStep } from './carry-out.ts';
import { ChangeJournal } from './change-journal.ts';
import type { CheckoutChange } from './checkout-change.ts';
import { mergeAll } from './merge-file.ts';

/** The way back from a change, as the checkout is now. */
export interface WayBack {
  readonly steps: readonly ReadyStep[];
  /** Files in which somebody has changed the same places since. */
  readonly conflicts: readonly string[];
  /** What the files had before the change, by git's id. */
  readonly bytes: ReadonlyMap<string, Buffer>;
}

/**
 * Plans how every file gets back what it had before a change. What somebody changed since is merged where the changes do
 * not touch. Files that have it already need no step, so that a way back can be begun again.
 */
export async function planWayBack(workspace: SessionWorkspace, change: CheckoutChange): Promise<WayBack> {
  const { git, root, repository } = workspace;
  const journal = new ChangeJournal(workspace.folder);
  const bytes = new Map<string, Buffer>();
  const wanted: TreeChange[] = [];
  const moved: TreeChange[] = [];
  for (const { path, before, after } of change.steps) {
    const present = await readPresent(repository.root, path);
    wanted.push({ path, before: after, after: before });
    if (before && !sameEntry(before, present?.entry)) {
      bytes.set(before.blob, await journal.bytesBefore(change, before.blob));
    }
    if (sameEntry(present?.entry, after)) continue;
    moved.push({ path, before: after, after: present?.entry });
    // A merge reads its sides from the private git folder.
    if (present && before && !sameEntry(before, present.entry)) {
      for (const side of [present.bytes, bytes.get(before.blob)]) if (side) await writeBlob(git, root, side);
    }
  }
  const plan = planApply(wanted, moved);
  const merged = await mergeAll(workspace, plan.steps);
  const steps = merged.steps.map((step) => withPermissions(step, change));
  return { steps, conflicts: [...plan.conflicts, ...merged.conflicts].sort(), bytes };
}

/** A file that gets its old content back gets its old permissions back; a merged one keeps those that it has. */
function withPermissions(step: ReadyStep, change: CheckoutChange): ReadyStep {
  const before = change.steps.find(({ path }) => path === step.path);
  if (step.kind === 'remove' || before?.permissions === undefined || !sameEntry(before.before, step.entry)) return step;
  return { ...step, permissions: before.permissions };
}

/**
 * Takes a change back that was broken off. With conflicts nothing is touched, the files are named, and the change stays
 * broken off.
 */
export async function takeBack(workspace: SessionWorkspace, change: CheckoutChange): Promise<readonly string[]> {
  const { root } = workspace.repository;
  const journal = new ChangeJournal(workspace.folder);
  await removeTemporaries(root, change);
  const { steps, conflicts, bytes } = await planWayBack(workspace, change);
  if (conflicts.length > 0) return conflicts;
  const puts: PutStep[] = [];
  for (const step of steps) {
    if (step.kind !== 'put') continue;
    const content = bytes.get(step.entry.blob) ?? (await readBlob(workspace.git, workspace.root, step.entry.blob));
    puts.push({ ...step, bytes: content });
  }
  const removals = steps.filter((step) => step.kind === 'remove');
  const trouble = await carryOut(root, removals, puts, { token: change.token, emptied: change.folders });
  if (trouble?.kind === 'in-the-way') return [trouble.path];
  if (trouble?.kind === 'failed') throw trouble.cause;
  if (trouble) throw cannotBeWritten(trouble.reason);
  await removeEmptyFolders(root, change);
  await journal.settle({ ...change, state: 'taken-back' });
  await journal.forgetBytes(change);
  return [];
}

/** Takes back what a process left that died while it changed the checkout. */
export async function takeBackBrokenOff(
  workspace: SessionWorkspace,
): Promise<{ readonly change?: CheckoutChange; readonly conflicts: readonly string[] }> {
  const changes = await new ChangeJournal(workspace.folder).all();
  const change = changes.find(({ state }) => state === 'begun');
  return change ? { change, conflicts: await takeBack(workspace, change) } : { conflicts: [] };
}

/** What a write that was cut off left: only names of this change. */
async function removeTemporaries(root: string, { token, steps }: CheckoutChange): Promise<void> {
  const folders = new Set(steps.map(({ path }) => dirname(path)));
  for (const folder of folders) {
    // A parent that became a file has nothing in it.
    await rm(join(root, folder, temporaryName(token)), { force: true }).catch(() => undefined);
  }
}

/** Folders that were made for a file that was never written; one that has something in it stays. */
async function removeEmptyFolders(root: string, { folders }: CheckoutChange): Promise<void> {
  for (const folder of folders.toReversed()) await rmdir(join(root, folder)).catch(() => undefined);
}

function cannotBeWritten(reason: string): CapstanError {
  return new CapstanError('checkout-read-only', `A change of the checkout could not be taken back whole (${reason}).`, {
    hint: 'Make the checkout writable and see that its disk has room; then the same command again finishes it.',
  });
}
