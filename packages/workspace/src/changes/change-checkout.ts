import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readBlob, sameEntry } from '../git/tree-entries.ts';
import type { ReadyStep } from '../plan-apply.ts';
import { readPresent } from '../put-entry.ts';
import type { SessionWorkspace } from '../session-workspace.ts';
import { type CarryOptions, carryOut, type PutStep } from './carry-out.ts';
import { ChangeJournal } from './change-journal.ts';
import type { ChangeStep, CheckoutChange } from './checkout-change.ts';
import { takeBack } from './take-back.ts';

/** How a change of the checkout ended. Only `changed` has changed it. */
export type ChangeOutcome =
  | { readonly kind: 'changed'; readonly number: number }
  | { readonly kind: 'moved'; readonly files: readonly string[] }
  | { readonly kind: 'read-only'; readonly reason: string };

export interface ChangeRequest extends Pick<CarryOptions, 'emptied'> {
  readonly kind: CheckoutChange['kind'];
  readonly of?: number;
  readonly steps: readonly ReadyStep[];
  /** Bytes of entries that are not in the private git folder, by git's id. */
  readonly bytes: ReadonlyMap<string, Buffer>;
}

/**
 * Changes the checkout by these steps: all of them or none. What is there is kept and the change is written down before
 * the first file is touched, so that a process that dies in between leaves something that can be taken back.
 */
export async function changeCheckout(workspace: SessionWorkspace, request: ChangeRequest): Promise<ChangeOutcome> {
  const { folder } = workspace;
  const { root } = workspace.repository;
  const { kind, of, steps, emptied } = request;
  const refused = steps.length > 0 ? await notWritable(root) : undefined;
  if (refused !== undefined) return { kind: 'read-only', reason: refused };
  const present = await keepPresent(root, steps);
  if (present.moved.length > 0) return { kind: 'moved', files: present.moved };
  const puts = await putSteps(workspace, request, present.kept);
  const journal = new ChangeJournal(folder);
  const folders = await missingFolders(root, steps);
  const draft = { kind, ...(of === undefined ? {} : { of }), token: randomUUID(), steps: present.kept, folders };
  const change = await journal.begin(draft, present.bytes);
  const removals = steps.filter((step) => step.kind === 'remove');
  const trouble = await carryOut(root, removals, puts, { token: change.token, emptied });
  if (trouble === undefined) {
    await journal.settle({ ...change, state: 'done' });
    return { kind: 'changed', number: change.number };
  }
  const conflicts = await takeBack(workspace, change);
  if (trouble.kind === 'failed') throw trouble.cause;
  if (trouble.kind === 'read-only') return trouble;
  return { kind: 'moved', files: [...new Set([trouble.path, ...conflicts])] };
}

/** The steps that write, with their bytes. A file that is replaced keeps its permissions where git's mode stays. */
async function putSteps(
  { git, root }: SessionWorkspace,
  { steps, bytes }: ChangeRequest,
  kept: readonly ChangeStep[],
): Promise<PutStep[]> {
  const puts: PutStep[] = [];
  for (const [at, step] of steps.entries()) {
    if (step.kind !== 'put') continue;
    const { before, permissions: own } = kept[at] ?? {};
    const permissions = step.permissions ?? (before?.mode === step.entry.mode ? own : undefined);
    const content = bytes.get(step.entry.blob) ?? (await readBlob(git, root, step.entry.blob));
    puts.push({ ...step, bytes: content, ...(permissions === undefined ? {} : { permissions }) });
  }
  return puts;
}

/**
 * What the steps are about to replace. The plan was made a moment ago: a file that was saved since then, or an ignored
 * one that lies at the path of a new one, has moved.
 */
async function keepPresent(root: string, steps: readonly ReadyStep[]) {
  const kept: ChangeStep[] = [];
  const bytes = new Map<string, Buffer>();
  const moved: string[] = [];
  for (const step of steps) {
    const { path } = step;
    const present = await readPresent(root, path);
    if (!sameEntry(present?.entry, step.now)) moved.push(path);
    if (present) bytes.set(present.entry.blob, present.bytes);
    kept.push({
      path,
      ...(present ? { before: present.entry } : {}),
      ...(present?.permissions === undefined ? {} : { permissions: present.permissions }),
      ...(step.kind === 'put' ? { after: step.entry } : {}),
    });
  }
  return { kept, bytes, moved };
}

/** The parents of new files that are not there yet, outermost first. */
async function missingFolders(root: string, steps: readonly ReadyStep[]): Promise<string[]> {
  const missing = new Set<string>();
  for (const { kind, path } of steps) {
    if (kind !== 'put') continue;
    for (let folder = dirname(path); folder !== '.' && !missing.has(folder); folder = dirname(folder)) {
      const found = await lstat(join(root, folder)).catch(() => undefined);
      if (!found?.isDirectory()) missing.add(folder);
    }
  }
  return [...missing].sort((first, second) => first.length - second.length);
}

async function notWritable(root: string): Promise<string | undefined> {
  return access(root, constants.W_OK).then(
    () => undefined,
    (cause: NodeJS.ErrnoException) => cause.code ?? cause.message,
  );
}
