import { shortText, type TraceNode } from '@capstan/telemetry';
import { durationWords } from '../event-words.ts';
import { printable } from '../printable.ts';
import { partWords } from './part-words.ts';
import { shareWords, stateWords } from './trace-lines.ts';
import { traceStyle } from './trace-style.ts';

const longestLine = 240;

/**
 * A trace as one HTML file: no script, nothing from outside (its own policy forbids both), so it can be opened from disk,
 * kept, and sent. Texts of models, tools and files are escaped and made printable. Parts open and close by mouse and keys.
 */
export function tracePage(trace: TraceNode, program: string): string {
  const id = trace.kind === 'session' ? trace.sessionId : '';
  const started = trace.kind === 'session' ? new Date(trace.startedAt).toISOString() : '';
  const tasks = trace.children.flatMap((run) => (run.kind === 'run' && run.task !== null ? [run.task.text] : []));
  const only = trace.children.length === 1 ? trace.children[0] : undefined;
  const parts = only?.children ?? trace.children;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Trace of ${escapeHtml(id)}</title>
<style>${traceStyle}</style>
</head>
<body>
<header>
<h1>${escapeHtml(tasks[0] === undefined ? 'Trace' : shortText(tasks[0], longestLine))}</h1>
<dl>
<div><dt>Session</dt><dd><code>${escapeHtml(id)}</code></dd></div>
<div><dt>Started</dt><dd>${escapeHtml(started)}</dd></div>
<div><dt>Time</dt><dd>${escapeHtml(timeWords(trace))}</dd></div>
${stateWords(trace, program)
  .map((words) => `<div><dt>Now</dt><dd>${escapeHtml(words)}</dd></div>\n`)
  .join('')}</dl>
<p class="key"><span class="bar work"></span> work <span class="bar slow"></span> slowest <span class="bar wait"></span> waiting for a person <span class="bar idle"></span> no process</p>
</header>
<main>
<div class="row head" aria-hidden="true"><span class="what">part</span><span class="num">start</span><span class="num">took</span><span class="num">share</span><span class="time">0 s<span>${escapeHtml(durationWords(trace.durationMs))}</span></span></div>
${parts.map((part) => partHtml(part, 0, trace)).join('')}</main>
</body>
</html>
`;
}

function partHtml(part: TraceNode, depth: number, trace: TraceNode): string {
  const inside = part.children.map((child) => partHtml(child, depth + 1, trace)).join('') + fullText(part, depth);
  const row = rowHtml(part, depth, trace);
  if (inside === '') return `<div class="row ${part.state}">${row}</div>\n`;
  const open = part.children.length > 0 ? ' open' : '';
  return `<details${open}>\n<summary class="row ${part.state}">${row}</summary>\n${inside}</details>\n`;
}

function rowHtml(part: TraceNode, depth: number, trace: TraceNode): string {
  const { label, text, outcome } = partWords(part);
  const told = text === '' ? '' : ` <span class="told">${escapeHtml(shortText(text, longestLine))}</span>`;
  const came = outcome === '' ? '' : ` <span class="came">${escapeHtml(shortText(outcome, longestLine))}</span>`;
  const took = part.durationMs >= 50 ? durationWords(part.durationMs) : '';
  return [
    `<span class="what" style="--depth:${depth}"><b class="${part.kind}">${escapeHtml(label)}</b>${told}${came}</span>`,
    `<span class="num">${durationWords(part.startMs)}</span>`,
    `<span class="num">${took}</span>`,
    `<span class="num">${shareWords(part)}</span>`,
    `<span class="time">${barHtml(part, trace)}</span>`,
  ].join('');
}

function barHtml(part: TraceNode, trace: TraceNode): string {
  const whole = Math.max(1, trace.durationMs);
  const percent = (milliseconds: number) => `${((100 * milliseconds) / whole).toFixed(3)}%`;
  const kind = part.kind === 'approval' ? 'wait' : part.kind === 'gap' ? gapKind(part.idleMs) : 'work';
  const name = part.slowest ? 'slow' : part.children.length > 0 ? `${kind} whole` : kind;
  return `<span class="bar ${name}" style="left:${percent(part.startMs - trace.startMs)};width:${percent(part.durationMs)}"></span>`;
}

function gapKind(idleMs: number): 'idle' | 'wait' {
  return idleMs > 0 ? 'idle' : 'wait';
}

/** What does not fit on a line, for those parts that may have more to say. */
function fullText(part: TraceNode, depth: number): string {
  const lines = fullLines(part);
  if (lines.length === 0) return '';
  const items = lines
    .map(([name, text]) => `<dt>${escapeHtml(name)}</dt><dd><pre>${escapeHtml(text)}</pre></dd>`)
    .join('');
  return `<dl class="full" style="--depth:${depth}">${items}</dl>\n`;
}

function fullLines(part: TraceNode): (readonly [string, string])[] {
  if (part.kind === 'call') {
    return [
      ['call', part.callId],
      ['arguments', part.arguments],
      ...(part.outcome === null ? [] : [['outcome', part.outcome.text] as const]),
    ];
  }
  if (part.kind === 'model' && part.answer !== null && part.answer.text !== '') return [['answer', part.answer.text]];
  if (part.kind === 'approval')
    return [
      ['question', part.summary],
      ['answer', partWords(part).outcome],
    ];
  if (part.kind === 'sandbox') return [['detail', part.detail]];
  if (part.kind === 'end' && part.failure !== null) return [['why', part.failure.message]];
  if (part.kind === 'verification' || part.kind === 'attempt') return [['reason', part.reason]];
  return [];
}

/** Text as text: neither markup nor a character that acts on the reader's screen comes through. */
function escapeHtml(text: string): string {
  return printable(text).replaceAll(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** All of a time, and what of it was no work. */
function timeWords({ durationMs, workMs, waitMs, idleMs }: TraceNode): string {
  if (durationMs === workMs) return durationWords(durationMs);
  const waited = waitMs >= 50 ? `, ${durationWords(waitMs)} waiting for a person` : '';
  const idle = idleMs >= 50 ? `, ${durationWords(idleMs)} without a process` : '';
  return `${durationWords(durationMs)}: ${durationWords(workMs)} of work${waited}${idle}`;
}
