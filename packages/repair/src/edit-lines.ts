import type { TextEdit } from '@capstan/contracts';

/** Whole lines of a file replaced by others, as the file tools take them. */
export interface LineEdit {
  readonly path: string;
  /** The first replaced line, counted from 1. */
  readonly line: number;
  readonly oldText: string;
  readonly newText: string;
}

/** The text with its edits, or `undefined` where one does not find what it replaces. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string | undefined {
  let result = text;
  for (const edit of [...edits].sort((first, second) => second.offset - first.offset)) {
    if (!result.startsWith(edit.before, edit.offset)) return undefined;
    result = result.slice(0, edit.offset) + edit.after + result.slice(edit.offset + edit.before.length);
  }
  return result;
}

/** An edit widened to the lines it touches. Line ends are not part of the texts. */
export function lineEditOf(text: string, edit: TextEdit): LineEdit {
  const start = edit.offset === 0 ? 0 : text.lastIndexOf('\n', edit.offset - 1) + 1;
  const last = edit.offset + edit.before.length;
  const stop = text.indexOf('\n', last);
  const end = stop === -1 ? text.length : stop;
  const line = text.slice(0, start).split('\n').length;
  const oldText = text.slice(start, end);
  const newText = text.slice(start, edit.offset) + edit.after + text.slice(last, end);
  return { path: edit.path, line, oldText, newText };
}

/** The exact edit that a line edit means; `undefined` where its old text is not at that line. */
export function textEditOf(text: string, edit: LineEdit): TextEdit | undefined {
  let offset = 0;
  for (let line = 1; line < edit.line; line += 1) {
    const next = text.indexOf('\n', offset);
    if (next === -1) return undefined;
    offset = next + 1;
  }
  if (!text.startsWith(edit.oldText, offset)) return undefined;
  return { path: edit.path, offset, before: edit.oldText, after: edit.newText };
}

const CONTEXT = 3;

/** A unified diff of one changed file that `git apply` takes. */
export function unifiedDiff(path: string, before: string, after: string): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const start = Math.max(0, head - CONTEXT);
  const oldEnd = Math.min(old.length, old.length - tail + CONTEXT);
  const newEnd = oldEnd + now.length - old.length;
  const body = [
    ...old.slice(start, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, oldEnd).map((line) => ` ${line}`),
  ];
  const range = (from: number, to: number): string => `${to > from ? from + 1 : from},${to - from}`;
  const header = `--- a/${path}\n+++ b/${path}\n@@ -${range(start, oldEnd)} +${range(start, newEnd)} @@\n`;
  return header + body.map((line) => (line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`)).join('');
}

/** Lines with their ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
