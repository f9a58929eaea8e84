import { sameEntry } from '../git/tree-entries.ts';
import type { ReadyStep } from '../plan-apply.ts';
import { putEntry, readPresent, removeEntry } from '../put-entry.ts';

export type PutStep = Extract<ReadyStep, { kind: 'put' }> & { readonly bytes: Buffer };
type RemoveStep = Extract<ReadyStep, { kind: 'remove' }>;

/** Why a step was not made; the steps before it were. */
export type Trouble =
  /** Something of the user's is in the way. */
  | { readonly kind: 'in-the-way'; readonly path: string }
  | { readonly kind: 'read-only'; readonly reason: string }
  | { readonly kind: 'failed'; readonly cause: unknown };

export interface CarryOptions {
  /** Names temporary files. */
  readonly token: string;
  /** Which folders that are left empty go too. */
  readonly emptied: 'all' | readonly string[];
}

const inTheWay = ['EEXIST', 'EISDIR', 'ENOTEMPTY', 'ENOTDIR', 'ELOOP', 'ENOENT'];
const notWritable = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'];

/** Makes the steps, up to the first that cannot be made. A file can take the place of a folder, so what goes goes first. */
export async function carryOut(
  root: string,
  removals: readonly RemoveStep[],
  puts: readonly PutStep[],
  { token, emptied }: CarryOptions,
): Promise<Trouble | undefined> {
  for (const step of [...removals, ...puts]) {
    try {
      if (!sameEntry((await readPresent(root, step.path))?.entry, step.now))
        return { kind: 'in-the-way', path: step.path };
      if (step.kind === 'remove') await removeEntry(root, step.path, emptied);
      else await putEntry(root, step, token);
    } catch (cause) {
      return troubleOf(cause, step.path);
    }
  }
  return undefined;
}

function troubleOf(cause: unknown, path: string): Trouble {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (inTheWay.includes(code)) return { kind: 'in-the-way', path };
  return notWritable.includes(code) ? { kind: 'read-only', reason: code } : { kind: 'failed', cause };
}
