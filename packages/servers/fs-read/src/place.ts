import { checkRelativePath, type Refusal, refuse } from '@capstan/workspace';

/** A line of a file: what a cursor says, so that a search can go on without the server keeping anything. */
export interface Place {
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

/** A place as a cursor: "src/a.ts:120". */
export function showPlace({ path, line }: Place): string {
  return `${path}:${line}`;
}

/** Reads a cursor; the place must lie where the search begins, which may be a file. */
export function parsePlace(cursor: string, folder: string): Place | Refusal {
  const [, given, line] = /^(.+):(\d{1,9})$/s.exec(cursor) ?? [];
  const checked = given === undefined ? undefined : checkRelativePath(given);
  if (checked === undefined || 'failure' in checked || !isIn(checked.path, folder)) {
    return refuse(
      'bad-argument',
      `There is no place ${JSON.stringify(cursor.slice(0, 200))} in this search.`,
      'Give the cursor of the last reply, with the same path and pattern; leave it out to begin anew.',
    );
  }
  return { path: checked.path, line: Number(line) };
}

function isIn(path: string, start: string): boolean {
  return start === '.' || path === start || path.startsWith(`${start}/`);
}
