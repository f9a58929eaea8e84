import type { EventBody, ToolCall } from '@capstan/contracts';
import { addPart, type Draft } from './draft.ts';
import { outcomeText } from './outcome-text.ts';
import { shortText } from './short-text.ts';
import type { ApprovalFacts, CallFacts, ModelFacts, TraceState } from './trace-node.ts';

const longestArguments = 400;
const longestOutcome = 300;
export const longestText = 300;

type BodyOf<Type extends EventBody['type']> = Extract<EventBody, { type: Type }>;

/** What began and has not ended. `rows` are those that no part has yet: the part that shows it first takes them. */
interface Pending {
  readonly since: number;
  readonly rows: number[];
}

export interface PendingCall extends Pending {
  readonly call: ToolCall;
  /** The step in which it was decided. */
  readonly step: Draft;
}

export interface PendingModel extends Pending {
  readonly request: BodyOf<'model-request'>;
}

export interface PendingApproval extends Pending {
  readonly request: BodyOf<'approval-request'>;
}

/** What of a run waits for its end: it may come in the same step, in a later one, or in another process. */
export class PendingParts {
  readonly calls: PendingCall[] = [];
  readonly approvals: PendingApproval[] = [];
  model: PendingModel | undefined;

  get isEmpty(): boolean {
    return this.model === undefined && this.calls.length === 0 && this.approvals.length === 0;
  }

  /** The run is over: nothing of it can end any more. */
  clear(): void {
    this.model = undefined;
    this.calls.length = 0;
    this.approvals.length = 0;
  }

  takeCall(callId: string): PendingCall | undefined {
    return take(this.calls, ({ call }) => call.id === callId);
  }

  takeApproval(callId: string): PendingApproval | undefined {
    return take(this.approvals, ({ request }) => request.callId === callId);
  }

  takeModel(): PendingModel | undefined {
    const { model } = this;
    this.model = undefined;
    return model;
  }

  /** A life ends in `step`: what was going on is shown until `endMs`, and stays pending for the next life. */
  showUnfinished(step: Draft, endMs: number, state: TraceState): void {
    const { model } = this;
    if (model !== undefined) {
      addPart(step, modelFacts(model.request, null), { startMs: model.since, endMs, state, rows: claim(model) });
    }
    for (const approval of this.approvals) {
      const part = { startMs: approval.since, endMs, state: 'waiting', rows: claim(approval) } as const;
      addPart(step, approvalFacts(approval.request, null), part);
    }
    const asked = new Set(this.approvals.map(({ request }) => request.callId));
    const going = this.calls.find((call) => isMadeIn(step, call) && !asked.has(call.call.id));
    for (const call of this.calls) {
      if (call === going) addPart(step, callFacts(call.call), { startMs: call.since, endMs, state, rows: claim(call) });
      else this.#showPlanned(step, call, endMs);
    }
  }

  /** The step that makes calls is over: those that are left will not be made. */
  showNotMade(step: Draft, endMs: number): void {
    for (const call of this.calls.splice(0)) this.#showPlanned(step, call, endMs);
  }

  #showPlanned(step: Draft, call: PendingCall, endMs: number): void {
    if (call.rows.length === 0) return;
    addPart(step, callFacts(call.call), { startMs: endMs, endMs, state: 'planned', rows: claim(call) });
  }
}

/** The rows that nothing shows yet; they are shown by whoever asks first. */
export function claim(pending: Pick<Pending, 'rows'>): number[] {
  return pending.rows.splice(0);
}

function take<Item>(items: Item[], matches: (item: Item) => boolean): Item | undefined {
  const index = items.findIndex(matches);
  return index < 0 ? undefined : items.splice(index, 1)[0];
}

/** Planning only decides calls; `execute` makes them; every other step makes those that it decided. */
function isMadeIn(step: Draft, call: PendingCall): boolean {
  const { facts } = step;
  if (facts.kind !== 'step' || facts.node === 'plan') return false;
  return facts.node === 'execute' || facts.continued || call.step === step;
}

export function callFacts(
  call: Pick<ToolCall, 'id' | 'name' | 'arguments'>,
  outcome?: BodyOf<'tool-result'>['outcome'],
): CallFacts {
  return {
    kind: 'call',
    callId: call.id,
    tool: call.name,
    arguments: shortText(JSON.stringify(call.arguments), longestArguments),
    outcome:
      outcome === undefined ? null : { kind: outcome.kind, text: shortText(outcomeText(outcome), longestOutcome) },
  };
}

export function modelFacts(
  request: BodyOf<'model-request'> | undefined,
  answer: BodyOf<'model-answer'>['answer'] | null,
): ModelFacts {
  return {
    kind: 'model',
    model: request?.model ?? '',
    messages: request?.messages ?? 0,
    answer:
      answer === null
        ? null
        : {
            text: shortText(answer.text, longestText),
            calls: answer.calls.length + answer.malformed.length,
            promptTokens: answer.usage.promptTokens,
            completionTokens: answer.usage.completionTokens,
          },
  };
}

export function approvalFacts(
  request: Pick<BodyOf<'approval-request'>, 'callId' | 'tool' | 'rule' | 'summary'>,
  answer: ApprovalFacts['answer'],
): ApprovalFacts {
  const { callId, tool, rule, summary } = request;
  return { kind: 'approval', callId, tool, rule, summary: shortText(summary, longestText), answer };
}
