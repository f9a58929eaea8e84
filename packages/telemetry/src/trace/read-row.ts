import type { EventBody, EventRow } from '@capstan/contracts';
import { addPart, cursorOf, type Draft, type NewPart } from './draft.ts';
import { isFailure } from './outcome-text.ts';
import { approvalFacts, callFacts, claim, longestText, modelFacts } from './pending-parts.ts';
import { shortText } from './short-text.ts';
import type { EndFacts, TraceFacts, TraceState } from './trace-node.ts';
import type { TraceShape } from './trace-shape.ts';

type BodyOf<Type extends EventBody['type']> = Extract<EventBody, { type: Type }>;

/** A row with its time, and that of the row before it. */
interface TimedRow {
  readonly number: number;
  readonly at: number;
  readonly lastAt: number;
}

/** Puts one row where it belongs. */
export function readRow(shape: TraceShape, { body, number }: EventRow, at: number, lastAt: number): void {
  const row = { number, at, lastAt };
  switch (body.type) {
    case 'run-start':
      shape.beginRun(body.runId, body.task, at, [number], lastAt);
      break;
    case 'run-resume':
      shape.beginLife(body.life, at, [number], lastAt);
      break;
    case 'node-enter':
      shape.enterStep(body.node, body.step, at, [number]);
      break;
    case 'workspace-open':
      addSinceLast(shape, { kind: 'workspace', files: body.files }, row);
      break;
    case 'sandbox-ready':
      addSinceLast(shape, { kind: 'sandbox', detail: body.detail }, row);
      break;
    case 'dependencies-ready':
      addSinceLast(shape, { kind: 'dependencies', folders: body.folders.map(({ path }) => path) }, row);
      break;
    case 'model-request':
      shape.step(at);
      shape.pending.model = { since: at, rows: [...claimModel(shape), number], request: body };
      break;
    case 'model-answer':
      addAnswer(shape, body, row);
      break;
    case 'tool-call':
      shape.pending.calls.push({ since: at, rows: [number], call: body.call, step: shape.step(at) });
      break;
    case 'tool-result':
      addResult(shape, body, row);
      break;
    case 'workspace-progress':
    case 'workspace-snapshot':
    case 'message-add':
      shape.step(at).rows.push(number);
      break;
    case 'approval-request':
      addQuestion(shape, body, row);
      break;
    case 'approval-answer':
      addApproval(shape, body, row);
      break;
    case 'run-end':
      endRun(shape, body, row);
      break;
    default:
      addMoment(shape, body, row);
      break;
  }
}

function addMoment(shape: TraceShape, body: EventBody, { at, number }: TimedRow): void {
  const [facts, state = 'done'] = momentFacts(body);
  const part = { startMs: at, endMs: at, state, rows: [number] };
  if (facts.kind !== 'apply' && facts.kind !== 'undo' && facts.kind !== 'event') addPart(shape.step(at), facts, part);
  else if (shape.over === undefined) addPart(shape.outside(at), facts, part);
  else addLate(shape.over, facts, part);
}

/** What a person does days after a run has ended is no part of its time: it is shown at the end. */
function addLate(run: Draft, facts: TraceFacts, part: NewPart): void {
  const endMs = cursorOf(run);
  const laterMs = Math.max(0, part.startMs - endMs);
  const isTimed = facts.kind === 'apply' || facts.kind === 'undo';
  addPart(run, isTimed ? { ...facts, laterMs } : facts, { ...part, startMs: endMs, endMs });
}

function momentFacts(body: EventBody): [TraceFacts, TraceState?] {
  switch (body.type) {
    case 'plan-update': {
      const at = body.steps.findIndex((step) => step.status === 'current');
      const title = body.steps[at]?.title ?? '';
      return [{ kind: 'plan', planner: body.planner, at: at + 1, of: body.steps.length, title }];
    }
    case 'checks-choose':
      return [{ kind: 'checks', chosen: body.chosen, left: body.left }];
    case 'check-report': {
      const { tests: _, ...report } = body.report;
      return [{ kind: 'check', phase: body.phase, report }, report.outcome === 'passed' ? 'done' : 'failed'];
    }
    case 'taint-rise':
      return [{ kind: 'taint', label: body.label }];
    case 'attempt-fail':
      return [{ kind: 'attempt', attempt: body.attempt, reason: body.reason }, 'failed'];
    case 'verification': {
      const { verdict, reason } = body.verification;
      return [{ kind: 'verification', verdict, reason }, verdict === 'not-verified' ? 'failed' : 'done'];
    }
    case 'diff-ready':
      return [{ kind: 'diff', files: body.files, held: body.held }];
    case 'diff-apply':
      return [{ kind: 'apply', files: body.files, laterMs: 0 }];
    case 'diff-undo':
      return [{ kind: 'undo', files: body.files, laterMs: 0 }];
    default:
      return [{ kind: 'event', type: body.type }];
  }
}

/** What is told when it is there took the time since the last thing that was told. */
function addSinceLast(shape: TraceShape, facts: TraceFacts, { at, number }: TimedRow): void {
  const step = shape.step(at);
  addPart(step, facts, { startMs: cursorOf(step), endMs: at, rows: [number] });
}

function addAnswer(shape: TraceShape, { answer }: BodyOf<'model-answer'>, { at, number }: TimedRow): void {
  const step = shape.step(at);
  const asked = shape.pending.takeModel();
  const rows = [...(asked === undefined ? [] : claim(asked)), number];
  addPart(step, modelFacts(asked?.request, answer), { startMs: asked?.since ?? at, endMs: at, rows });
}

function claimModel(shape: TraceShape): number[] {
  const asked = shape.pending.takeModel();
  return asked === undefined ? [] : claim(asked);
}

function addResult(shape: TraceShape, body: BodyOf<'tool-result'>, { at, number }: TimedRow): void {
  const step = shape.step(at);
  const { callId, outcome, durationMs } = body;
  const made = shape.pending.takeCall(callId);
  const call = made?.call ?? { id: callId, name: '', arguments: {} };
  const rows = [...(made === undefined ? [] : claim(made)), number];
  // Decided in an earlier step, it began later: then the process that made it says how long it took.
  const startMs = Math.max(made?.since ?? 0, at - Math.max(0, Math.round(durationMs)));
  const state = isFailure(outcome) ? 'failed' : outcome.kind === 'result' ? 'done' : 'waiting';
  addPart(step, callFacts(call, outcome), { startMs, endMs: at, state, rows });
}

/** The gateway answered a call with a question; once a person has said yes, the call is made again. */
function addQuestion(shape: TraceShape, body: BodyOf<'approval-request'>, { at, number }: TimedRow): void {
  const step = shape.step(at);
  const { callId, argumentDigest, rule, summary } = body;
  const asking = shape.pending.calls.find(({ call }) => call.id === callId);
  if (asking !== undefined) {
    const outcome = { kind: 'approval-required', callId, argumentDigest, rule, summary } as const;
    const part = { startMs: asking.since, endMs: at, state: 'waiting', rows: claim(asking) } as const;
    addPart(step, callFacts(asking.call, outcome), part);
  }
  shape.pending.approvals.push({ since: at, rows: [number], request: body });
}

function addApproval(shape: TraceShape, body: BodyOf<'approval-answer'>, { at, number }: TimedRow): void {
  const { callId, approved, by } = body;
  const asked = shape.pending.takeApproval(callId);
  const request = asked?.request ?? { callId, tool: '', rule: '', summary: '' };
  const answer = { approved, by, waitedMs: asked === undefined ? 0 : at - asked.since };
  const rows = [...(asked === undefined ? [] : claim(asked)), number];
  const state = approved ? 'done' : 'failed';
  addPart(shape.outside(at, 'person'), approvalFacts(request, answer), {
    startMs: asked?.since ?? at,
    endMs: at,
    state,
    rows,
  });
  shape.answered();
}

function endRun(shape: TraceShape, body: BodyOf<'run-end'>, { at, number }: TimedRow): void {
  const isStopped = body.failure?.code === 'stopped';
  const isWaiting = body.status === 'waiting' && !isStopped;
  const steps =
    isWaiting && shape.pending.approvals.length > 0
      ? 'waiting'
      : isStopped || body.status === 'failed'
        ? 'cut-off'
        : 'done';
  const life = isStopped ? 'cut-off' : body.status === 'done' || body.status === 'waiting' ? body.status : 'failed';
  shape.endSteps(at, steps);
  shape.addToLife(endFacts(body), at, life, [number]);
  shape.endLife(at, life, isWaiting ? 'person' : 'idle');
}

function endFacts({ status, exitCode, failure, verification, usage }: BodyOf<'run-end'>): EndFacts {
  return {
    kind: 'end',
    status,
    exitCode,
    failure: failure === undefined ? null : { ...failure, message: shortText(failure.message, longestText) },
    reason: verification?.reason ?? null,
    tokens: usage.promptTokens + usage.completionTokens,
    modelRequests: usage.modelRequests,
    toolCalls: usage.toolCalls,
  };
}
