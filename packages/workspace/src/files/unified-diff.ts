import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { decodeText } from './text-file.ts';

/** Longest time for one file; a diff that takes longer is replaced by a sentence. */
const diffMs = 1000;

/** A unified diff of one file for people and models; `undefined` content means that the file is not there. */
export function unifiedDiff(path: string, before: Uint8Array | undefined, after: Uint8Array | undefined): string {
  const oldName = before === undefined ? '/dev/null' : `a/${path}`;
  const newName = after === undefined ? '/dev/null' : `b/${path}`;
  const oldFile = decodeText(before ?? new Uint8Array());
  const newFile = decodeText(after ?? new Uint8Array());
  const header = `--- ${oldName}\n+++ ${newName}\n`;
  if (oldFile === undefined || newFile === undefined) return `${header}(binary content)\n`;
  const patch = createTwoFilesPatch(oldName, newName, oldFile.text, newFile.text, undefined, undefined, {
    context: 3,
    timeout: diffMs,
    headerOptions: FILE_HEADERS_ONLY,
  });
  return patch ?? `${header}(too different to show line by line)\n`;
}
