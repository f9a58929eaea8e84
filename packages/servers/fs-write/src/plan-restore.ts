import { checkWritable, type Refusal, refuse } from '@capstan/workspace';
import { type Change, readState } from './change.ts';
import { absent, type ChangeJournal } from './change-record.ts';

/** Works out how to take an earlier change back; refused as soon as one of its files has changed since. */
export async function planRestore(root: string, journal: ChangeJournal, id: string): Promise<Change[] | Refusal> {
  const found = /^[0-9a-f]{20}$/.test(id) ? await journal.load(id) : undefined;
  if (found === undefined) {
    return refuse(
      'not-found',
      `There is no change ${JSON.stringify(id)}.`,
      'Give the changeId from the reply of the change.',
    );
  }
  const changes: Change[] = [];
  for (const { path, before, after, mode } of found.record.changes) {
    const blocked = await checkWritable(root, path);
    if (blocked !== undefined) return blocked;
    const now = await readState(root, path);
    if (now !== undefined && 'failure' in now) return now;
    const digest = now?.sha256 ?? absent;
    if (digest !== after && digest !== before) {
      return refuse(
        'stale-file',
        `${JSON.stringify(path)} was changed since. Nothing was restored.`,
        'Change it by edit_files instead.',
      );
    }
    const content = before === absent ? undefined : await journal.content(before);
    changes.push({ path, before: now, after: content, ...(mode === undefined ? {} : { mode }), notes: [] });
  }
  return changes;
}
