import { shortText, type TraceNode } from '@capstan/telemetry';
import { displayWidth, fitEnd } from '../display-width.ts';
import { durationWords } from '../event-words.ts';
import { nameProgram } from '../name-program.ts';
import { printable } from '../printable.ts';
import type { Style } from '../style.ts';
import { partWords } from './part-words.ts';

/** Where the width is not known: long enough to say what happened, short enough to be read. Cells. */
const widthElsewhere = 160;
const narrowest = 60;
const longestText = 120;
const longestHint = 300;

/** A trace as lines for people: a tree, with when each part began, how long it took, and its share of the work. */
export function traceLines(trace: TraceNode, style: Style, program: string, columns = widthElsewhere): string[] {
  const width = Math.max(narrowest, columns);
  const only = trace.children.length === 1 ? trace.children[0] : undefined;
  const top = only?.children ?? trace.children;
  return [
    ...headLines(trace, width, style, program),
    '',
    style.quiet(`${'start'.padStart(10)}${'took'.padStart(13)}${'share'.padStart(7)}`),
    ...top.flatMap((part) => partLines(part, { indent: '', branch: '' }, width, style)),
  ];
}

function headLines(trace: TraceNode, width: number, style: Style, program: string): string[] {
  const id = trace.kind === 'session' ? trace.sessionId : '';
  const tasks = trace.children.flatMap((run) => (run.kind === 'run' && run.task !== null ? [run.task.text] : []));
  const clock = trace.kind === 'session' ? trace.clockWentBackMs : 0;
  return [
    style.strong(`Session ${oneLine(id)}`),
    ...tasks.map((task) => fitEnd(`  task       ${printable(shortText(task, width))}`, width)),
    `  time       ${durationWords(trace.durationMs)}`,
    ...(trace.workMs === trace.durationMs ? [] : [`  work       ${durationWords(trace.workMs)}`]),
    ...(trace.waitMs < 50 ? [] : [`  waiting    ${durationWords(trace.waitMs)} for a person`]),
    ...(trace.idleMs < 50 ? [] : [`  idle       ${durationWords(trace.idleMs)} without a process`]),
    ...stateWords(trace, program).map((words) => `  now        ${words}`),
    ...(clock > 0 ? [`  clock      was set back by ${durationWords(clock)} in all; that time is left out`] : []),
  ];
}

/** What is to be said about a session that is not at its end. */
export function stateWords(trace: TraceNode, program: string): string[] {
  const id = trace.kind === 'session' ? trace.sessionId : '';
  if (trace.state === 'open') return ['it goes on'];
  if (trace.state === 'waiting') {
    const hint = lastEnd(trace)?.failure?.hint ?? `See what to do: capstan sessions ${id}`;
    return [nameProgram(`it waits for a person. ${printable(shortText(hint, longestHint))}`, program)];
  }
  return trace.state === 'cut-off' ? [nameProgram(`no process drives it: capstan resume ${id}`, program)] : [];
}

function lastEnd(part: TraceNode): Extract<TraceNode, { kind: 'end' }> | undefined {
  if (part.kind === 'end') return part;
  return part.children.map(lastEnd).findLast((end) => end !== undefined);
}

interface Place {
  /** What stands before the lines of the parts below. */
  readonly indent: string;
  readonly branch: string;
}

function partLines(part: TraceNode, place: Place, width: number, style: Style): string[] {
  const below = part.children.flatMap((child, index) => {
    const isLast = index === part.children.length - 1;
    const next = { branch: `${place.indent}${isLast ? '└ ' : '├ '}`, indent: `${place.indent}${isLast ? '  ' : '│ '}` };
    return partLines(child, next, width, style);
  });
  return [partLine(part, place.branch, width, style), ...below];
}

function partLine(part: TraceNode, branch: string, width: number, style: Style): string {
  const { label, text, outcome } = partWords(part);
  const figures = figuresOf(part);
  const mark = part.slowest ? ' ◀ slow' : '';
  const room = width - displayWidth(figures) - displayWidth(branch) - displayWidth(mark) - 2;
  const cut = fitter(room);
  const shownLabel = cut(oneLine(label));
  const [shownText, shownOutcome] = shareRoom(oneLine(text), oneLine(outcome), room - displayWidth(shownLabel));
  const line = [
    style.quiet(`${figures}  ${branch}`),
    paintLabel(part, style)(shownLabel),
    shownText === '' ? '' : style.quiet(`  ${shownText}`),
    shownOutcome === '' ? '' : paintOutcome(part, style)(`  ${shownOutcome}`),
    mark === '' ? '' : style.warn(mark),
  ];
  return line.join('').trimEnd();
}

function fitter(room: number): (text: string) => string {
  return (text) => fitEnd(text, Math.max(0, room));
}

/** What came of something matters more than what it was told: it gets up to half of the room. */
function shareRoom(text: string, outcome: string, room: number): [string, string] {
  const gaps = (text === '' ? 0 : 2) + (outcome === '' ? 0 : 2);
  const left = Math.max(0, room - gaps);
  const forOutcome = Math.min(displayWidth(outcome), Math.max(Math.floor(left / 2), left - displayWidth(text)));
  return [fitEnd(text, left - forOutcome), fitEnd(outcome, forOutcome)];
}

function oneLine(text: string): string {
  return printable(shortText(text, longestText));
}

function figuresOf(part: TraceNode): string {
  const start = durationWords(part.startMs).padStart(10);
  const took = part.durationMs >= 50 ? durationWords(part.durationMs) : '';
  return `${start}${took.padStart(13)}${shareWords(part).padStart(7)}`;
}

/** A share as people read it; nothing for what is no work, or too little of it to say. */
export function shareWords({ share }: Pick<TraceNode, 'share'>): string {
  return share < 0.005 ? '' : `${Math.round(share * 100)}%`;
}

function paintLabel(part: TraceNode, style: Style): (text: string) => string {
  if (part.kind === 'gap') return style.warn;
  return part.kind === 'step' || part.kind === 'life' || part.kind === 'run' ? style.strong : (text) => text;
}

function paintOutcome(part: TraceNode, style: Style): (text: string) => string {
  if (part.state === 'failed') return style.bad;
  if (part.state === 'waiting' || part.state === 'cut-off') return style.warn;
  const isGood = part.kind === 'check' || part.kind === 'verification' || part.kind === 'end';
  return isGood ? style.good : (text) => text;
}
