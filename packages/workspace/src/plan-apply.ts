import { sameEntry, type TreeChange, type TreeEntry } from './git/tree-entries.ts';

/** What has to happen to one path of the checkout. */
export type ApplyStep =
  | ReadyStep
  | {
      readonly kind: 'merge';
      readonly path: string;
      readonly base: TreeEntry;
      readonly now: TreeEntry;
      readonly entry: TreeEntry;
    };

/** A step that needs no merging any more. */
export type ReadyStep =
  | {
      readonly kind: 'put';
      readonly path: string;
      readonly now: TreeEntry | undefined;
      readonly entry: TreeEntry;
      /** Of a regular file; by default those of the file that it replaces, where git's mode stays. */
      readonly permissions?: number;
    }
  | { readonly kind: 'remove'; readonly path: string; readonly now: TreeEntry };

export interface ApplyPlan {
  readonly steps: readonly ApplyStep[];
  /** Paths that the session and the checkout changed differently, with nothing to merge by. */
  readonly conflicts: readonly string[];
}

/**
 * Compares what the session changed with what the checkout changed since (pure). A path that is already as the session
 * wants it needs no step, so a plan made after a crash finishes what was begun.
 */
export function planApply(session: readonly TreeChange[], checkout: readonly TreeChange[]): ApplyPlan {
  const moved = new Map(checkout.map((change) => [change.path, change]));
  const steps: ApplyStep[] = [];
  const conflicts: string[] = [];
  for (const change of session) {
    const now = moved.has(change.path) ? moved.get(change.path)?.after : change.before;
    const step = planPath(change, now);
    if (step === 'conflict') conflicts.push(change.path);
    else if (step !== 'nothing') steps.push(step);
  }
  return { steps, conflicts };
}

function planPath({ path, before, after }: TreeChange, now: TreeEntry | undefined): ApplyStep | 'nothing' | 'conflict' {
  if (sameEntry(now, after)) return 'nothing';
  if (sameEntry(now, before)) {
    if (after) return { kind: 'put', path, now, entry: after };
    return now ? { kind: 'remove', path, now } : 'nothing';
  }
  if (before && after && now && [before, after, now].every(isRegularFile)) {
    return { kind: 'merge', path, base: before, now, entry: after };
  }
  return 'conflict';
}

function isRegularFile(entry: TreeEntry): boolean {
  return entry.mode.startsWith('100');
}
