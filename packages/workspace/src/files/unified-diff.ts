import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';
import { decodeText } from './text-file.ts';

/** Longest time for one file; a diff that takes longer is replaced by a sentence. */
const diffMs = 1000;
const contextLines = 3;

/** A unified diff of one file for people and models; `undefined` content means that the file is not there. */
export function unifiedDiff(path: string, before: Uint8Array | undefined, after: Uint8Array | undefined): string {
  const oldName = before === undefined ? '/dev/null' : `a/${path}`;
  const newName = after === undefined ? '/dev/null' : `b/${path}`;
  const oldFile = decodeText(before ?? new Uint8Array());
  const newFile = decodeText(after ?? new Uint8Array());
  const header = `--- ${oldName}\n+++ ${newName}\n`;
  if (oldFile === undefined || newFile === undefined) return `${header}(binary content)\n`;
  const part = narrow(oldFile.text, newFile.text);
  const patch = structuredPatch(oldName, newName, part.before, part.after, undefined, undefined, {
    context: contextLines,
    timeout: diffMs,
  });
  if (patch === undefined) return `${header}(too different to show line by line)\n`;
  const hunks = patch.hunks.map((hunk) => {
    return { ...hunk, oldStart: hunk.oldStart + part.skipped, newStart: hunk.newStart + part.skipped };
  });
  return formatPatch({ ...patch, hunks }, FILE_HEADERS_ONLY);
}

/** Leaves out the lines that both texts share at their ends, but for the context: large files cost no more than small ones. */
function narrow(before: string, after: string): { before: string; after: string; skipped: number } {
  const limit = Math.min(before.length, after.length);
  let head = 0;
  while (head < limit && before.charCodeAt(head) === after.charCodeAt(head)) head += 1;
  let tail = 0;
  while (
    tail < limit - head &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail += 1;
  const start = lineStartBefore(before, head);
  const kept = Math.max(0, tail - lengthOfLines(before, before.length - tail));
  let skipped = 0;
  for (let at = before.indexOf('\n'); at !== -1 && at < start; at = before.indexOf('\n', at + 1)) skipped += 1;
  return {
    before: before.slice(start, before.length - kept),
    after: after.slice(start, after.length - kept),
    skipped,
  };
}

/** The start of the line that lies `contextLines` above the line of a position. */
function lineStartBefore(text: string, position: number): number {
  let start = position;
  for (let count = 0; count <= contextLines && start > 0; count += 1) {
    // After the first round `start` follows a line feed that belongs to the line above.
    start = text.lastIndexOf('\n', count === 0 ? start - 1 : start - 2) + 1;
  }
  return start;
}

/** How far it is from a position to the end of the line `contextLines` below its own. */
function lengthOfLines(text: string, position: number): number {
  let end = position;
  for (let count = 0; count <= contextLines; count += 1) {
    const next = text.indexOf('\n', end);
    if (next === -1) return text.length - position;
    end = next + 1;
  }
  return end - position;
}
