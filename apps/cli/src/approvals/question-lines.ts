import type { Approval, ToolCall } from '@capstan/contracts';
import { shortText } from '@capstan/telemetry';
import { colourDiff } from '../colour-diff.ts';
import { durationWords } from '../event-words.ts';
import { printable } from '../printable.ts';
import type { Style } from '../style.ts';
import type { QuestionContext } from './question-context.ts';

/** A line break in a name or a task adds no line that looks like one of ours. Characters. */
const longestRow = 300;

const askedBy: Readonly<Record<ToolCall['taint'], string>> = {
  clean: 'Capstan itself; no model and no content had a part in the arguments',
  unknown: 'a model; what it has read may have had a part in the arguments',
  tainted: 'a model; the arguments come from content of others',
};

/** A question in full: what would be called with what, why a person is asked, and where it comes from. Printable. */
export function questionLines(approval: Approval, context: QuestionContext, now: number, style: Style): string[] {
  const { sessionId, callId, tool, rule, summary } = approval;
  const { task, call, labels } = context;
  const row = (name: string, text: string) => `  ${name.padEnd(10)} ${printable(shortText(text, longestRow))}`;
  return [
    style.strong(`Session ${printable(shortText(sessionId, longestRow))}`),
    ...(task === undefined ? [] : [row('task', task.text)]),
    ...(task?.label.integrity === 'external' ? [style.warn(row('', 'the task comes from somebody else'))] : []),
    row('call', callId),
    row('tool', tool),
    row('rule', rule),
    row('asked', whenWords(approval, now)),
    ...(call === undefined ? [] : [row('by', askedBy[call.taint])]),
    ...labels.map((label) => style.warn(row('careful', `the session holds ${labelWords(label)} (${label.origin})`))),
    '',
    ...colourDiff(printable(summary), style).split('\n'),
    ...fullArguments(summary, call),
  ];
}

function whenWords({ requestedAt, expiresAt }: Approval, now: number): string {
  const ago = durationWords(Math.max(0, now - requestedAt));
  return `${ago} ago; expires in ${durationWords(Math.max(0, expiresAt - now))}`;
}

function labelWords({ integrity, secrecy }: QuestionContext['labels'][number]): string {
  return secrecy === 'secret' ? `${integrity} and secret content` : `${integrity} content`;
}

/** The question leaves out parts of very long arguments, and says so; then they follow in full. */
function fullArguments(summary: string, call: ToolCall | undefined): string[] {
  if (call === undefined || !/^\d+ characters are not shown/m.test(summary)) return [];
  return ['', 'Arguments in full:', ...printable(JSON.stringify(call.arguments, null, 2)).split('\n')];
}

/** A question in one line, for a list. */
export function questionLine(approval: Approval, now: number, style: Style): string {
  const { sessionId, callId, tool, rule } = approval;
  return `${style.strong(printable(sessionId))}  ${printable(callId)}  ${printable(tool)} (rule ${printable(rule)}), asked ${whenWords(approval, now)}`;
}
