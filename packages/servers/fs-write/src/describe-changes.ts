import { sizes } from '@capstan/contracts';
import { sha256, unifiedDiff } from '@capstan/workspace';
import { z } from 'zod';
import type { Change } from './change.ts';
import type { Reply } from './commit-changes.ts';

/** The most diff that a reply shows. Bytes. */
const shownDiff = sizes.inlineLimit - 8 * 1024;

export const ChangeReply = z.strictObject({
  changeId: z.string().optional().describe('For restore_files; not set in a dry run'),
  dryRun: z.boolean(),
  files: z.array(
    z.strictObject({
      path: z.string(),
      change: z.enum(['created', 'modified', 'deleted', 'moved', 'unchanged']),
      from: z.string().optional().describe('Where a moved file was'),
      sha256: z.string().optional().describe('Of the file afterwards'),
      notes: z.array(z.string()),
    }),
  ),
  diff: z.string().describe('Unified diff'),
  diffCut: z.boolean().describe('True if the diff was too long to be shown whole'),
});
type ChangeReply = z.infer<typeof ChangeReply>;

/** The reply to a call that changes files, the same for what would happen (`changeId` undefined) and what did. */
export function describeChanges(changes: readonly Change[], changeId: string | undefined): Reply {
  const shown = changes.filter((change) => change.movedTo === undefined);
  const files = shown.map(describeFile);
  const diff = cutDiff(shown.filter(isReal).map(diffOf).join(''));
  const structured: ChangeReply = {
    ...(changeId === undefined ? {} : { changeId }),
    dryRun: changeId === undefined,
    files,
    diff: diff.text,
    diffCut: diff.cut,
  };
  return { text: showReply(structured), structured };
}

function diffOf({ path, before, after, movedFrom }: Change): string {
  return movedFrom === undefined
    ? unifiedDiff(path, before?.bytes, after)
    : `rename from ${movedFrom}\nrename to ${path}\n`;
}

function describeFile(change: Change): ChangeReply['files'][number] {
  const { path, before, after, movedFrom, notes } = change;
  const origin = movedFrom === undefined ? {} : { from: movedFrom };
  const file = { path, change: kindOf(change), ...origin, notes: [...notes] };
  return after === undefined ? file : { ...file, sha256: before?.bytes.equals(after) ? before.sha256 : sha256(after) };
}

function kindOf(change: Change): ChangeReply['files'][number]['change'] {
  if (change.movedFrom !== undefined) return 'moved';
  if (!isReal(change)) return 'unchanged';
  if (change.before === undefined) return 'created';
  return change.after === undefined ? 'deleted' : 'modified';
}

function isReal({ before, after, movedFrom }: Change): boolean {
  if (movedFrom !== undefined) return true;
  if (before === undefined || after === undefined) return before !== after;
  return !before.bytes.equals(after);
}

function cutDiff(diff: string): { text: string; cut: boolean } {
  const bytes = Buffer.from(diff);
  if (bytes.length <= shownDiff) return { text: diff, cut: false };
  const end = bytes.lastIndexOf(0x0a, shownDiff) + 1;
  return { text: bytes.toString('utf8', 0, end), cut: true };
}

function showReply(reply: ChangeReply): string {
  const lines = [reply.dryRun ? 'Dry run: nothing was written. This would happen:' : 'Done:'];
  for (const file of reply.files) {
    lines.push(
      `- ${file.change} ${file.from === undefined ? '' : `${file.from} to `}${file.path}${file.sha256 === undefined ? '' : ` (sha256 ${file.sha256.slice(0, 12)})`}`,
    );
    lines.push(...file.notes.map((note) => `  ${note}`));
  }
  lines.push('', reply.diff);
  if (reply.diffCut) lines.push('(the diff is longer: read the files to see the rest)');
  if (reply.changeId !== undefined) lines.push(`To take this back: restore_files with changeId ${reply.changeId}.`);
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd();
}
