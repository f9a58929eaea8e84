import { constants } from 'node:fs';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changesBetween, readBlob, sameEntry, type TreeEntry, writeBlob } from './git/tree-entries.ts';
import { type ApplyStep, planApply } from './plan-apply.ts';
import { presentEntry, putEntry, removeEntry } from './put-entry.ts';
import { isHeld, type SessionWorkspace } from './session-workspace.ts';

/** How an apply ended. Only `applied` has changed the checkout. */
export type ApplyOutcome =
  | { readonly kind: 'applied'; readonly files: readonly string[] }
  | { readonly kind: 'nothing' }
  /** The checkout is as the session wants it already. */
  | { readonly kind: 'present'; readonly files: readonly string[] }
  | { readonly kind: 'held'; readonly files: readonly string[] }
  | { readonly kind: 'moved'; readonly files: readonly string[] }
  | { readonly kind: 'read-only'; readonly reason: string };

/**
 * Brings the session's changes into the checkout: all of them or none. A checkout that moved on is merged where the
 * changes do not touch, and refused otherwise; nothing of the user's is overwritten (requirement A6). Trust-bearing
 * files hold everything until `reviewed`. Safe to repeat after a crash.
 */
export async function applyChanges(
  workspace: SessionWorkspace,
  options: { readonly reviewed: boolean },
): Promise<ApplyOutcome> {
  const { git, root, repository, baseTree } = workspace;
  const sessionTree = await workspace.snapshot();
  const changes = await changesBetween(git, root, baseTree, sessionTree);
  if (changes.length === 0) return { kind: 'nothing' };
  const held = changes.filter(isHeld).map((change) => change.path);
  if (held.length > 0 && !options.reviewed) return { kind: 'held', files: held };
  const checkoutTree = await git.snapshotCheckout(repository);
  const plan = planApply(changes, await changesBetween(git, root, baseTree, checkoutTree));
  const merged = await mergeAll(workspace, plan.steps);
  const conflicts = [...plan.conflicts, ...merged.conflicts];
  if (conflicts.length > 0) return { kind: 'moved', files: conflicts };
  if (merged.steps.length === 0) return { kind: 'present', files: changes.map((change) => change.path) };
  const refused = await writable(repository.root);
  if (refused) return { kind: 'read-only', reason: refused };
  return write(
    workspace,
    merged.steps,
    changes.map((change) => change.path),
  );
}

type ReadyStep = Exclude<ApplyStep, { kind: 'merge' }>;

async function mergeAll(workspace: SessionWorkspace, steps: readonly ApplyStep[]) {
  const ready: ReadyStep[] = [];
  const conflicts: string[] = [];
  for (const step of steps) {
    if (step.kind !== 'merge') ready.push(step);
    else {
      const entry = await mergeFile(workspace, step);
      if (entry) ready.push({ kind: 'put', path: step.path, now: step.now, entry });
      else conflicts.push(step.path);
    }
  }
  return { steps: ready, conflicts };
}

/** A three-way merge of one file; undefined when both sides changed the same lines. */
async function mergeFile(
  { git, root, folder }: SessionWorkspace,
  step: Extract<ApplyStep, { kind: 'merge' }>,
): Promise<TreeEntry | undefined> {
  const scratch = await mkdtemp(join(folder, 'merge-'));
  try {
    const names = ['now', 'base', 'session'].map((name) => join(scratch, name));
    const entries = [step.now, step.base, step.entry];
    for (const [at, name] of names.entries()) {
      await writeFile(name, await readBlob(git, root, entries[at]?.blob ?? ''));
    }
    // merge-file answers with the number of conflicts, and 255 for files that it cannot merge (binary).
    const accept = Array.from({ length: 256 }, (_, code) => code);
    const result = await git.run(['merge-file', '-p', '-q', ...names], root, 'index.workspace', { accept });
    if (result.exitCode !== 0) return undefined;
    const mode = step.entry.mode === step.base.mode ? step.now.mode : step.entry.mode;
    return { mode, blob: await writeBlob(git, root, result.stdout) };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function writable(root: string): Promise<string | undefined> {
  return access(root, constants.W_OK).then(
    () => undefined,
    (cause: NodeJS.ErrnoException) => cause.code ?? cause.message,
  );
}

async function write(
  { git, root, repository }: SessionWorkspace,
  steps: readonly ReadyStep[],
  files: readonly string[],
): Promise<ApplyOutcome> {
  const bytes = new Map<string, Buffer>();
  for (const step of steps) if (step.kind === 'put') bytes.set(step.path, await readBlob(git, root, step.entry.blob));
  // The tree was compared a moment ago; a file that was saved since then, or an ignored one, must not be lost.
  const moved: string[] = [];
  for (const step of steps) {
    if (!sameEntry(await presentEntry(repository.root, step.path), step.now)) moved.push(step.path);
  }
  if (moved.length > 0) return { kind: 'moved', files: moved };
  for (const step of removalsFirst(steps)) {
    const inTheWay = await carryOut(repository.root, step, bytes).catch(whenInTheWay);
    if (inTheWay) return { kind: 'moved', files: [step.path] };
  }
  return { kind: 'applied', files };
}

/** A file can take the place of a folder, so what goes has to go first. */
function removalsFirst(steps: readonly ReadyStep[]): ReadyStep[] {
  return [...steps.filter((step) => step.kind === 'remove'), ...steps.filter((step) => step.kind === 'put')];
}

async function carryOut(root: string, step: ReadyStep, bytes: ReadonlyMap<string, Buffer>): Promise<false> {
  if (step.kind === 'remove') await removeEntry(root, step.path);
  else await putEntry(root, step.path, step.entry, bytes.get(step.path) ?? Buffer.alloc(0), step.now === undefined);
  return false;
}

/** Something appeared at the path, or a parent is a symlink or a file: the user's, so it stays. */
function whenInTheWay(cause: NodeJS.ErrnoException): true {
  if (['EEXIST', 'EISDIR', 'ENOTEMPTY', 'ENOTDIR', 'ELOOP', 'ENOENT'].includes(cause.code ?? '')) return true;
  throw cause;
}
