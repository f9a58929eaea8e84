import type { IndexState } from '@capstan/knowledge';
import { z } from 'zod';

/** In every result that rests on the index: how far it can be relied on. */
export const IndexStateShown = z.strictObject({
  files: z.number().describe('Files that the index knows'),
  checkedMsAgo: z.number().optional().describe('Since all files were compared with the index'),
  complete: z.boolean().describe('False while the index is still being made: call again for more'),
  note: z.string().optional(),
});

/** Without what only `refresh_index` tells. */
export function shownState({ last: _, ...state }: IndexState): z.infer<typeof IndexStateShown> {
  return state;
}

/** The state in one line for people and models. */
export function stateLine({ files, checkedMsAgo, complete, note }: IndexState): string {
  const age =
    checkedMsAgo === undefined ? 'not compared with the files yet' : `compared with the files ${ageText(checkedMsAgo)}`;
  const building = complete ? '' : '; STILL BEING MADE: results are missing, call again';
  return `(index: ${files} files, ${age}${building}${note === undefined ? '' : `. ${note}`})`;
}

function ageText(milliseconds: number): string {
  return milliseconds < 1_000 ? 'just now' : `${Math.round(milliseconds / 1_000)} s ago`;
}
