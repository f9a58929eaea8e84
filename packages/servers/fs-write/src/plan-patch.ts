import {
  applyEdit,
  checkRelativePath,
  checkWritable,
  decodeText,
  encodeText,
  type Refusal,
  refuse,
  unrepresentable,
} from '@capstan/workspace';
import { type Change, readState } from './change.ts';
import { type FilePatch, type Hunk, parsePatch } from './parse-patch.ts';
import { startChange } from './plan-edits.ts';

/** Works out what a unified diff would make of its files: all of them or none, and every hunk only where its text stands. */
export async function planPatch(root: string, text: string): Promise<Change[] | Refusal> {
  const parsed = parsePatch(text);
  if ('problem' in parsed) {
    return refuse(
      'bad-argument',
      `The patch cannot be read: ${parsed.problem}. No file was changed.`,
      'Give a unified diff: "--- a/PATH", "+++ b/PATH", "@@", then lines that begin with " ", "-" or "+".',
    );
  }
  const changes = new Map<string, Change>();
  for (const file of parsed.files) {
    const change = await planFile(root, file, changes);
    if ('failure' in change) return change;
    changes.set(change.path, change);
  }
  return [...changes.values()];
}

async function planFile(
  root: string,
  file: FilePatch,
  changes: ReadonlyMap<string, Change>,
): Promise<Change | Refusal> {
  const checked = checkRelativePath(file.path);
  if ('failure' in checked) return checked;
  const { path } = checked;
  if (file.act === 'create') return changes.has(path) ? twice(path) : planCreation(root, path, file.hunks);
  const earlier = changes.get(path) ?? (await startChange(root, path));
  if ('failure' in earlier) return earlier;
  if (earlier.after === undefined) return twice(path);
  const changed = applyHunks(earlier, file.hunks);
  if ('failure' in changed || file.act === 'change') return changed;
  if (changed.after?.length === 0) return { ...changed, after: undefined };
  return refuse(
    'no-match',
    `${JSON.stringify(path)} has more text than the patch deletes. No file was changed.`,
    'Read the file again, or use delete_files.',
  );
}

async function planCreation(root: string, path: string, hunks: readonly Hunk[]): Promise<Change | Refusal> {
  const blocked = await checkWritable(root, path);
  if (blocked !== undefined) return blocked;
  const before = await readState(root, path);
  if (before !== undefined && 'failure' in before) return before;
  if (before !== undefined) {
    return refuse(
      'exists',
      `There is already a file at ${JSON.stringify(path)}. No file was changed.`,
      'Patch it with "--- a/PATH" instead of "--- /dev/null".',
    );
  }
  if (hunks.some((hunk) => hunk.oldText !== ''))
    return refuse(
      'bad-argument',
      `The patch makes ${JSON.stringify(path)}, but has lines that should be in it.`,
      'Begin each of its lines with "+".',
    );
  const encoded = encodeText(hunks.map((hunk) => hunk.newText).join(''), 'utf-8');
  if ('unrepresentable' in encoded) return unrepresentable(encoded.unrepresentable, { encoding: 'utf-8' }, path);
  return { path, before: undefined, after: encoded, notes: [] };
}

/** Applies hunks in their order. Pure. */
export function applyHunks(start: Change, hunks: readonly Hunk[]): Change | Refusal {
  let change = start;
  for (const [index, hunk] of hunks.entries()) {
    const file = decodeText(change.after ?? Buffer.alloc(0));
    if (file === undefined)
      return refuse('bad-argument', `${JSON.stringify(change.path)} is binary.`, 'Patches are for text files.');
    const edit = { oldText: hunk.oldText, newText: hunk.newText, wholeLines: true };
    const anywhere = applyEdit(file, edit, change.path);
    const ambiguous = 'failure' in anywhere && anywhere.failure.code === 'ambiguous-match';
    const there = ambiguous ? applyEdit(file, { ...edit, line: hunk.newStart }, change.path) : anywhere;
    if ('failure' in there) return numbered(ambiguous ? anywhere : there, index + 1, hunks.length);
    const notes = there.note === undefined ? change.notes : [...change.notes, there.note];
    change = { ...change, after: there.bytes, notes };
  }
  return change;
}

function numbered(refusal: Refusal | ReturnType<typeof applyEdit>, number: number, count: number): Refusal {
  if (!('failure' in refusal)) throw new TypeError('Only refusals are numbered');
  const message = `Hunk ${number} of ${count}: ${refusal.failure.message.replaceAll('oldText', 'its old text')} No file was changed.`;
  const hint = 'Read the file again and copy the context lines from it; more of them make a place unique.';
  return { failure: { ...refusal.failure, message, hint } };
}

function twice(path: string): Refusal {
  return refuse('bad-argument', `${JSON.stringify(path)} is made or deleted twice.`, 'Name each file once.');
}
