import type { SessionOverview, SessionState } from '@capstan/orchestration';
import { ageText } from './age-text.ts';
import { displayWidth, fitEnd, fitStart, padColumns } from './display-width.ts';
import { printable } from './printable.ts';
import type { Style } from './style.ts';

export interface TableOptions {
  readonly now: number;
  readonly style: Style;
  /** Width of the terminal; undefined when there is none: then nothing is cut. */
  readonly columns: number | undefined;
  /** Ids of all sessions, so that a short one stays unique. */
  readonly ids: readonly string[];
}

const headings = ['SESSION', 'AGE', 'STATE', 'FILES', 'CHECKOUT', 'TASK'] as const;
const gap = 2;
/** Columns below which a path or a task says nothing any more. */
const leastPath = 12;
const leastTask = 20;
const shortestId = 6;

/** A line for each session under a line of headings; none is wider than the terminal. */
export function sessionTable(overviews: readonly SessionOverview[], options: TableOptions): string[] {
  const rows = overviews.map((overview) => cellsOf(overview, options));
  const widths = fitWidths([[...headings], ...rows], options.columns);
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => padColumns(fitCell(cell, at, widths[at] ?? 0), widths[at] ?? 0))
      .join(' '.repeat(gap))
      .trimEnd();
  const paint = (text: string, state: SessionState) => {
    const padded = padColumns(state, widths[2] ?? 0);
    const at = text.indexOf(padded.trimEnd(), (widths[0] ?? 0) + (widths[1] ?? 0));
    return at < 0
      ? text
      : `${text.slice(0, at)}${stateStyle(state, options.style)(state)}${text.slice(at + state.length)}`;
  };
  return [
    options.style.quiet(line(headings)),
    ...rows.map((cells, at) => paint(line(cells), overviews[at]?.state ?? 'done')),
  ];
}

/** The colour of a state: what waits for somebody stands out. */
export function stateStyle(state: SessionState, style: Style): (text: string) => string {
  switch (state) {
    case 'done':
    case 'applied':
      return style.good;
    case 'running':
    case 'waiting':
    case 'stopped':
    case 'broken off':
    case 'half applied':
      return style.warn;
    case 'unsolved':
    case 'denied':
    case 'failed':
      return style.bad;
    case 'undone':
    case 'archived':
      return style.quiet;
  }
}

function cellsOf({ session, state, files, task }: SessionOverview, { now, ids }: TableOptions): string[] {
  const [firstLine = ''] = (task ?? '').trim().split('\n');
  return [
    shortId(session.sessionId, ids),
    ageText(now - session.createdAt),
    state,
    files === undefined ? '-' : String(files.length),
    session.repository,
    firstLine,
  ].map((cell) => printable(cell).replaceAll(/[\t\n]/g, ' '));
}

/** As much of an id as no other session begins with: it can be given back to every command. */
export function shortId(sessionId: string, ids: readonly string[]): string {
  const bare = (id: string) => id.replace(/^session-/, '');
  const own = bare(sessionId);
  const others = ids.filter((id) => id !== sessionId).map(bare);
  for (let length = shortestId; length < own.length; length += 1) {
    const short = own.slice(0, length);
    if (!others.some((other) => other.startsWith(short))) return short;
  }
  return own;
}

/** The widths of the columns: the checkout and then the task give way when the terminal is narrow. */
function fitWidths(rows: readonly (readonly string[])[], columns: number | undefined): number[] {
  const natural = headings.map((_, at) => Math.max(...rows.map((cells) => displayWidth(cells[at] ?? ''))));
  if (columns === undefined) return natural;
  const [path = 0, task = 0] = natural.slice(4);
  const fixed = natural.slice(0, 4).reduce((sum, width) => sum + width, 0) + gap * (headings.length - 1);
  const left = Math.max(0, columns - fixed);
  const pathWidth = Math.min(path, Math.max(leastPath, left - Math.max(task, leastTask), Math.floor(left / 3)));
  return [...natural.slice(0, 4), Math.min(pathWidth, left), Math.max(1, Math.min(task, left - pathWidth))];
}

function fitCell(cell: string, at: number, width: number): string {
  return at === 4 ? fitStart(cell, width) : fitEnd(cell, width);
}
