import { nextSteps, type SessionOverview } from '@capstan/orchestration';
import { folderSize, sizeText } from '@capstan/storage';
import { ageText } from './age-text.ts';
import { nameProgram } from './name-program.ts';
import { printable } from './printable.ts';
import { stateStyle } from './session-table.ts';
import type { Style } from './style.ts';

export interface LinesOptions {
  readonly now: number;
  readonly style: Style;
  readonly program: string;
}

const mostFiles = 20;
const labelWidth = 11;

/** One session for people: what it is about, where it stands, and what to do next as commands. */
export function sessionLines(overview: SessionOverview, { now, style, program }: LinesOptions): string[] {
  const { session, state, task, failure } = overview;
  const field = (label: string, text: string) => `  ${label.padEnd(labelWidth)}${printable(text)}`;
  const steps = nextSteps(overview);
  return [
    style.strong(`Session ${session.sessionId}`),
    `  ${'state'.padEnd(labelWidth)}${stateStyle(state, style)(state)}`,
    ...(failure ? [field('', failure.message)] : []),
    ...(failure?.hint ? [style.quiet(field('', nameProgram(failure.hint, program)))] : []),
    ...field('task', task ?? 'none: its process ended before it was written down')
      .split('\n')
      .map(indented),
    field('checkout', session.repository),
    field('started', startedText(session.createdAt, now)),
    ...runLines(overview).map((text) => field('run', text)),
    ...fileLines(overview).map((text, at) => field(at === 0 ? 'files' : '', text)),
    ...overview.waiting.map(({ tool, summary }) => field('waits for', `${tool}: ${summary}`)),
    field('workspace', `${session.workspace} (${workspaceText(overview)})`),
    ...(steps.length > 0 ? ['', style.strong('Next')] : []),
    ...steps.map(({ command, purpose }) => `  ${program} ${command.join(' ')}   ${style.quiet(purpose)}`),
  ];
}

function indented(line: string, at: number): string {
  return at === 0 ? line : `  ${' '.repeat(labelWidth)}${line}`;
}

function startedText(createdAt: number, now: number): string {
  const age = ageText(now - createdAt);
  return `${new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ')} UTC${age === 'now' ? '' : ` (${age} ago)`}`;
}

function runLines({ runs }: SessionOverview): string[] {
  return runs.map(({ runId, status, lives, exitCode }) => {
    const processes = lives > 1 ? `, driven by ${lives} processes` : '';
    return `${runId}: ${status}${exitCode === null ? '' : `, exit code ${exitCode}`}${processes}`;
  });
}

function fileLines({ files }: SessionOverview): string[] {
  if (files === undefined) return ['not known before its end'];
  if (files.length === 0) return ['none changed'];
  const rest = files.length > mostFiles ? [`and ${files.length - mostFiles} more`] : [];
  return [...files.slice(0, mostFiles), ...rest];
}

function workspaceText({ session }: SessionOverview): string {
  const bytes = folderSize(session.workspace);
  return bytes === 0 ? 'gone' : sizeText(bytes);
}
