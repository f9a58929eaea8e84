import type { CallOutcome, CheckReport, EventRow, Verification } from '@capstan/contracts';
import { isFailure, outcomeText, shortText } from '@capstan/telemetry';
import { colourDiff } from './colour-diff.ts';
import { answerWords, briefDuration, reportWords, statusWords } from './event-words.ts';
import { nameProgram } from './name-program.ts';
import { printableValue } from './printable.ts';
import type { Style } from './style.ts';

type Body = EventRow['body'];
type BodyOf<Type extends Body['type']> = Extract<Body, { type: Type }>;

/** The lines that people see for an event; none for what only machines need. */
export function describeEvent({ body: raw, sessionId }: EventRow, style: Style, program: string): string[] {
  const body = printableValue(raw);
  switch (body.type) {
    case 'run-start':
      return [
        style.strong(`Session ${sessionId}`),
        `  task       ${shortText(body.task.text, 100)}`,
        `  checkout   ${body.task.repository}`,
      ];
    case 'run-resume':
      return [style.quiet(`  resumed    process ${body.life} of this run`)];
    case 'workspace-open':
      return [
        `  workspace  a copy with ${body.files} files; the checkout is not touched until you apply`,
        ...(body.notices ?? []).map((notice) => style.warn(`             ${notice}`)),
      ];
    case 'workspace-progress':
      return [style.quiet(`  workspace  ${progressText(body)}`)];
    case 'sandbox-ready':
      return [`  sandbox    ${body.detail}`];
    case 'dependencies-ready':
      return broughtText(body);
    case 'checks-choose':
      return [
        `  checks     ${body.chosen.join(', ')}`,
        style.quiet(`             not run: ${shortText(body.left.join(', '), 160)}`),
      ];
    case 'plan-update':
      return planText(body, style);
    case 'model-request':
      return [style.quiet(`  model      ${body.model} is asked (${body.messages} messages)`)];
    case 'model-answer':
      return body.answer.text.trim() === '' ? [] : indent(`model says: ${body.answer.text.trim()}`, style.quiet);
    case 'tool-call':
      return [
        `  ${style.strong('call')}       ${body.call.name} ${style.quiet(shortText(JSON.stringify(body.call.arguments), 100))}`,
      ];
    case 'tool-result':
      return [`             ${outcomeLine(body.outcome, style)} ${style.quiet(briefDuration(body.durationMs))}`];
    case 'approval-request':
      return approvalText(body, style);
    case 'approval-answer':
      return [`  approval   ${answerWords(body)}`];
    case 'check-report':
      return [`  tests      ${body.phase === 'before' ? 'before: ' : 'after:  '} ${reportText(body.report, style)}`];
    case 'attempt-fail':
      return [style.warn(`  attempt ${body.attempt} failed: ${body.reason}`)];
    case 'taint-rise':
      return [
        style.warn(
          `  careful    the session now holds ${body.label.integrity} content (${shortText(body.label.origin, 200)})`,
        ),
      ];
    case 'diff-ready':
      return body.diff === '' ? [] : ['', colourDiff(body.diff.trimEnd(), style), '', ...heldText(body.held, style)];
    case 'diff-apply':
      return [style.good(`Applied to the checkout: ${body.files.join(', ')}`)];
    case 'blob-miss':
      return [style.bad(`  lost       the content of this event: blob ${body.sha256} is missing or damaged`)];
    case 'diff-undo':
      return [style.good(`Taken back in the checkout: ${body.files.join(', ')}`)];
    case 'run-end':
      return endText(body, style, program);
    case 'node-enter':
    case 'workspace-snapshot':
    case 'message-add':
    case 'verification':
      return [];
  }
}

function progressText({ phase, files }: BodyOf<'workspace-progress'>): string {
  return phase === 'reading' ? `reading the checkout, ${files} files so far` : `writing a copy with ${files} files`;
}

/** The whole plan when it is new, afterwards only where it stands. */
function planText({ planner, steps }: BodyOf<'plan-update'>, style: Style): string[] {
  const at = steps.findIndex((step) => step.status === 'current');
  if (steps.some((step) => step.status === 'done' || step.status === 'failed')) {
    return at < 0 ? [] : [style.strong(`Step ${at + 1} of ${steps.length}: ${steps[at]?.title}`)];
  }
  return [style.strong(`Plan (${planner})`), ...steps.map((step, index) => `  ${index + 1}. ${step.title}`)];
}

/** The question in full: whoever is asked has nothing else to go by. */
function approvalText({ tool, rule, summary }: BodyOf<'approval-request'>, style: Style): string[] {
  const [first = '', ...more] = summary.split('\n');
  const lines = first === tool ? more : [first, ...more];
  return [
    style.warn(`  approval   ${tool} (rule ${rule})`),
    ...colourDiff(lines.join('\n'), style)
      .split('\n')
      .map((line) => `    ${line}`),
  ];
}

function outcomeLine(outcome: CallOutcome, style: Style): string {
  const text = outcomeText(outcome);
  if (outcome.kind === 'approval-required' || outcome.kind === 'unknown-outcome') return style.warn(text);
  const line = outcome.kind === 'result' ? shortText(text, 140) : text;
  return isFailure(outcome) ? style.bad(line) : line;
}

function reportText(report: CheckReport, style: Style): string {
  const { result, check } = reportWords(report);
  return `${(report.outcome === 'passed' ? style.good : style.bad)(result)} ${check}`.trimEnd();
}

function heldText(held: readonly string[], style: Style): string[] {
  if (held.length === 0) return [];
  return [style.warn(`Held until you have looked at them: ${held.join(', ')}`)];
}

function endText(end: BodyOf<'run-end'>, style: Style, program: string): string[] {
  const lines: string[] = [];
  const headline = statusWords(end.status, end.failure?.code);
  const paint = end.status === 'done' ? style.good : end.status === 'waiting' ? style.warn : style.bad;
  const { verification, failure, usage } = end;
  // A failure says itself why; the checks may all have passed.
  const reason = failure ? undefined : verification?.reason;
  lines.push(paint(style.strong(reason === undefined ? headline : `${headline}: ${reason}`)));
  if (failure) lines.push(`  ${failure.message}`);
  if (failure?.hint) lines.push(`  ${style.quiet(nameProgram(failure.hint, program))}`);
  if (verification) lines.push(...claimText(verification, style));
  const said = [failure?.message, verification?.reason].some((text) => text !== undefined && end.answer.includes(text));
  if (end.answer.trim() !== '' && !(said && end.files.length === 0))
    lines.push(...indent(end.answer.trim(), (text) => text));
  lines.push(
    style.quiet(
      `  ${usage.toolCalls} tool calls, ${usage.modelRequests} model requests, ${usage.promptTokens + usage.completionTokens} tokens`,
    ),
  );
  if (end.status === 'done' && !end.applied && end.files.length > 0)
    lines.push(
      `  Apply it:  ${program} apply ${end.sessionId}${verification?.verdict === 'verified' ? '' : ' --unverified'}`,
    );
  if (end.applied && end.files.length > 0) lines.push(`  Take it back:  ${program} undo ${end.sessionId}`);
  return lines;
}

function claimText({ claims }: Verification, style: Style): string[] {
  return claims
    .filter((claim) => !claim.supported)
    .map((claim) => style.warn(`  No tool call did what the model says here: "${shortText(claim.sentence, 120)}"`));
}

function indent(text: string, paint: (text: string) => string): string[] {
  return text.split('\n').map((line) => paint(`  ${line}`));
}

const wayWords = {
  overlay: 'what is written to it stays in the session',
  copy: 'a copy in the session',
  read: 'can be read, not written',
  none: 'left out: it holds secrets',
} as const;

/** What git ignores and checks see: one line for each way. */
function broughtText({ folders, detail }: BodyOf<'dependencies-ready'>): string[] {
  const ways = (['overlay', 'copy', 'read', 'none'] as const).flatMap((way) => {
    const paths = folders.filter((folder) => folder.way === way).map(({ path }) => path);
    const why = way === 'read' ? ` (${detail})` : '';
    return paths.length === 0 ? [] : [`${shortText(paths.join(', '), 60)}: ${wayWords[way]}${why}`];
  });
  return ways.map((line, index) => `  ${index === 0 ? 'ignored  ' : '         '}  ${line}`);
}
