import type { TraceNode } from '@capstan/telemetry';
import { answerWords, durationWords, reportWords, statusWords } from '../event-words.ts';

/** What people read about a part of a trace, the same in a terminal and on a page. Not made printable, nothing escaped. */
export interface PartWords {
  /** What it is, in the words of the live view. */
  readonly label: string;
  readonly text: string;
  /** What came of it, apart from what it was. */
  readonly outcome: string;
}

/** The words for a part of a trace. */
export function partWords(part: TraceNode): PartWords {
  const words = (label: string, text = '', outcome = '') => ({ label, text, outcome });
  switch (part.kind) {
    case 'session':
      return words('session', part.sessionId);
    case 'run':
      return words('run', part.task?.text ?? '');
    case 'life':
      return words(`process ${part.life}`, part.life > 1 ? 'resumed' : '', lifeOutcome(part));
    case 'gap':
      return words(...gapWords[part.reason]);
    case 'step':
      return words(part.node, part.continued ? 'goes on' : (stepWords[part.node] ?? ''), unfinished(part));
    case 'workspace':
      return words('workspace', `a copy with ${part.files} files`);
    case 'sandbox':
      return words('sandbox', part.detail);
    case 'dependencies':
      return words('ignored', part.folders.join(', '));
    case 'checks':
      return words('checks', part.chosen.join(', '), part.left.length > 0 ? `not run: ${part.left.join(', ')}` : '');
    case 'plan':
      return part.at > 0 ? words(`step ${part.at} of ${part.of}`, part.title) : words('plan', part.planner);
    case 'model':
      return words('model', modelText(part), modelOutcome(part));
    case 'call':
      return words('call', `${part.tool} ${part.arguments}`.trim(), part.outcome?.text ?? unfinished(part));
    case 'check': {
      const { result, check } = reportWords(part.report);
      return words('tests', `${part.phase}: ${check}`, result);
    }
    case 'approval':
      return words('approval', `${part.tool} ${questionText(part)} (rule ${part.rule})`, approvalOutcome(part));
    case 'taint':
      return words('careful', `the session now holds ${part.label.integrity} content (${part.label.origin})`);
    case 'attempt':
      return words(`attempt ${part.attempt}`, '', `failed: ${part.reason}`);
    case 'verification':
      return words(part.verdict.replace('-', ' '), '', part.reason);
    case 'diff':
      return words('diff', part.files.join(', ') || 'nothing changed', held(part.held));
    case 'apply':
      return words('applied', `to the checkout: ${part.files.join(', ')}`, laterWords(part.laterMs));
    case 'undo':
      return words('undone', `in the checkout: ${part.files.join(', ')}`, laterWords(part.laterMs));
    case 'end':
      return words('end', usageText(part), endOutcome(part));
    case 'event':
      return words('event', part.type);
  }
}

const gapWords: Readonly<Record<Extract<TraceNode, { kind: 'gap' }>['reason'], [string, string]>> = {
  person: ['waiting', 'for a person; no process ran'],
  crash: ['gap', 'the process was gone'],
  idle: ['gap', 'no process ran'],
};

const stepWords: Readonly<Record<string, string>> = {
  start: 'workspace, sandbox and servers',
  human: 'a person is asked',
};

function unfinished({ state }: TraceNode): string {
  if (state === 'open') return 'goes on';
  if (state === 'cut-off') return 'cut off';
  return state === 'planned' ? 'not made' : '';
}

function lifeOutcome({ state }: TraceNode): string {
  if (state === 'open') return 'runs';
  return state === 'cut-off' ? 'ended in the middle of its work' : '';
}

function modelText({ model, messages }: Extract<TraceNode, { kind: 'model' }>): string {
  return model === '' ? '' : `${model} is asked (${messages} messages)`;
}

function modelOutcome(part: Extract<TraceNode, { kind: 'model' }>): string {
  const { answer } = part;
  if (answer === null) return unfinished(part);
  const calls = answer.calls === 1 ? '1 call' : `${answer.calls} calls`;
  const tokens = `${answer.promptTokens} + ${answer.completionTokens} tokens`;
  return [tokens, ...(answer.calls > 0 ? [calls] : []), ...(answer.text === '' ? [] : [answer.text])].join('; ');
}

/** A question about a call begins with its tool, which is said already. */
function questionText({ tool, summary }: Extract<TraceNode, { kind: 'approval' }>): string {
  return summary.startsWith(`${tool} `) ? summary.slice(tool.length + 1) : summary;
}

function approvalOutcome({ answer }: Extract<TraceNode, { kind: 'approval' }>): string {
  if (answer === null) return 'waits for a person';
  return `${answerWords(answer)} after ${durationWords(answer.waitedMs)}`;
}

function laterWords(milliseconds: number): string {
  return milliseconds < 1000 ? '' : `${durationWords(milliseconds)} later`;
}

function held(files: readonly string[]): string {
  return files.length === 0 ? '' : `held until you have looked at them: ${files.join(', ')}`;
}

function usageText({ toolCalls, modelRequests, tokens }: Extract<TraceNode, { kind: 'end' }>): string {
  return `${toolCalls} tool calls, ${modelRequests} model requests, ${tokens} tokens`;
}

function endOutcome({ status, failure, reason }: Extract<TraceNode, { kind: 'end' }>): string {
  const headline = statusWords(status, failure?.code);
  const why = failure?.message ?? reason;
  return why === null ? headline : `${headline}: ${why}`;
}
