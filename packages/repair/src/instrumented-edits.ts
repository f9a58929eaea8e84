import type { Patch } from '@capstan/contracts';
import { render } from './instrument.ts';
import type { PreparedTexts } from './prepare-texts.ts';

/** One replacement as the driver makes it. */
export interface DriverEdit {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The edits of a patch on the instrumented texts: what differs between both texts, ends left out. */
export function instrumentedEdits(prepared: PreparedTexts, patch: Patch): DriverEdit[] {
  return patch.edits.flatMap((edit): DriverEdit[] => {
    const instrumented = prepared.instrumented.get(edit.path);
    const base = prepared.texts[edit.path];
    if (instrumented === undefined || base === undefined) return [];
    const span = { start: edit.offset, end: edit.offset + edit.before.length, text: edit.after };
    return [differenceOf(edit.path, base, render(instrumented, span))];
  });
}

/** The edits of a patch on the plain texts. */
export function plainEdits({ edits }: Patch): DriverEdit[] {
  return edits.map(({ path, offset, before, after }) => ({
    path,
    start: offset,
    end: offset + before.length,
    text: after,
  }));
}

function differenceOf(path: string, base: string, text: string): DriverEdit {
  const most = Math.min(base.length, text.length);
  let head = 0;
  while (head < most && base[head] === text[head]) head += 1;
  let tail = 0;
  while (tail < most - head && base[base.length - 1 - tail] === text[text.length - 1 - tail]) tail += 1;
  return { path, start: head, end: base.length - tail, text: text.slice(head, text.length - tail) };
}
