import { applyEdit, checkRelativePath, checkWritable, decodeText, type Refusal, refuse } from '@capstan/workspace';
import { type Change, readState } from './change.ts';
import { checkHash } from './check-hash.ts';

export interface EditRequest {
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
  readonly line?: number | undefined;
  readonly expectedCount?: number | undefined;
  readonly ifHash?: string | undefined;
}

/** Works out what edits would make of their files: all of them or none. Edits of one file build on each other, in order. */
export async function planEdits(root: string, edits: readonly EditRequest[]): Promise<Change[] | Refusal> {
  const changes = new Map<string, Change>();
  for (const [index, edit] of edits.entries()) {
    const change = await planEdit(root, edit, changes);
    if ('failure' in change) return edits.length === 1 ? change : numbered(change, index + 1, edits.length);
    changes.set(change.path, change);
  }
  return [...changes.values()];
}

async function planEdit(
  root: string,
  edit: EditRequest,
  changes: ReadonlyMap<string, Change>,
): Promise<Change | Refusal> {
  const checked = checkRelativePath(edit.path);
  if ('failure' in checked) return checked;
  const { path } = checked;
  if (edit.oldText === edit.newText) {
    return refuse(
      'bad-argument',
      'oldText and newText are equal: nothing would change.',
      'Give the text as it shall be in newText.',
    );
  }
  const earlier = changes.get(path) ?? (await startChange(root, path));
  if ('failure' in earlier) return earlier;
  const stale = checkHash(path, earlier.before, edit.ifHash);
  if (stale !== undefined) return stale;
  const file = decodeText(earlier.after ?? Buffer.alloc(0));
  if (file === undefined)
    return refuse('bad-argument', `${JSON.stringify(path)} is binary.`, 'Edits are for text files.');
  const edited = applyEdit(file, edit, path);
  if ('failure' in edited) return edited;
  const notes = edited.note === undefined ? earlier.notes : [...earlier.notes, edited.note];
  return { ...earlier, after: edited.bytes, notes };
}

/** A change of an existing text file that does nothing yet. */
export async function startChange(root: string, path: string): Promise<Change | Refusal> {
  const blocked = await checkWritable(root, path);
  if (blocked !== undefined) return blocked;
  const before = await readState(root, path);
  if (before === undefined) {
    return refuse(
      'not-found',
      `There is nothing at ${JSON.stringify(path)}.`,
      'Use write_files to make it, or list_files to see the names that exist.',
    );
  }
  return 'failure' in before ? before : { path, before, after: before.bytes, notes: [] };
}

function numbered(refusal: Refusal, number: number, count: number): Refusal {
  const message = `Edit ${number} of ${count}: ${refusal.failure.message} No file was changed.`;
  return { failure: { ...refusal.failure, message } };
}
