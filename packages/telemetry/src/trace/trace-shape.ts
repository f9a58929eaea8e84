import type { Task } from '@capstan/contracts';
import { addPart, closeDraft, cursorOf, type Draft, newDraft } from './draft.ts';
import { PendingParts } from './pending-parts.ts';
import type { GapReason, TraceFacts, TraceState } from './trace-node.ts';

/** The skeleton of a trace while rows are read: session, runs, lives, gaps, steps, and what has not ended yet. */
export class TraceShape {
  readonly session: Draft;
  readonly pending = new PendingParts();
  #run: Draft | undefined;
  #life: Draft | undefined;
  #step: Draft | undefined;
  /** The step in which the last life was ended before its time: the next life goes on there. */
  #unfinished: Draft | undefined;
  #gapReason: GapReason = 'idle';
  #stepsEnded = false;
  #lives = 0;

  constructor(sessionId: string, startedAt: number, clockWentBackMs: number) {
    const facts = { kind: 'session', sessionId, startedAt, clockWentBackMs } as const;
    this.session = newDraft(facts, { startMs: 0, endMs: 0 });
  }

  beginRun(runId: string, task: Task | undefined, at: number, rows: readonly number[], lastAt = at): void {
    this.#closeRun(lastAt);
    this.#gapUntil(this.session, at, 'idle');
    const shown = task && { text: task.text, planner: task.planner, model: task.model };
    const facts = { kind: 'run', runId, task: shown ?? null } as const;
    this.#run = addPart(this.session, facts, { startMs: at, endMs: at, state: 'open', rows });
    this.#unfinished = undefined;
    this.#gapReason = 'idle';
    this.pending.clear();
    this.beginLife(1, at, []);
  }

  /** A process takes the run on, `lastAt` being the time of the last row before. */
  beginLife(life: number, at: number, rows: readonly number[], lastAt = at): void {
    if (this.#run === undefined) {
      this.beginRun('', undefined, at, rows);
      return;
    }
    this.endLife(lastAt, 'cut-off', 'crash');
    this.#gapUntil(this.#run, at, this.#gapReason);
    this.#lives = life;
    this.#life = addPart(this.#run, { kind: 'life', life }, { startMs: at, endMs: at, state: 'open', rows });
    this.#stepsEnded = false;
  }

  /** Ends the life that is open, if one is. A `gap` after it has this reason. */
  endLife(at: number, state: TraceState, gap: GapReason): void {
    const life = this.#life;
    if (life === undefined) return;
    this.endSteps(at, state);
    closeDraft(life, at, state);
    this.#life = undefined;
    this.#gapReason = gap;
    if (this.#run !== undefined) closeDraft(this.#run, at, state);
  }

  /** Ends the steps of a life. What was going on is shown as it stands; unless the run is over, it can go on in another. */
  endSteps(at: number, state: TraceState): void {
    if (this.#life === undefined || this.#stepsEnded) return;
    this.#stepsEnded = true;
    const isOver = state === 'done' || state === 'failed';
    const hasWorked = this.#step !== undefined || at > this.#life.startMs;
    if (hasWorked && !this.pending.isEmpty) this.pending.showUnfinished(this.step(at), at, isOver ? 'cut-off' : state);
    if (isOver) this.pending.clear();
    if (this.#step !== undefined) closeDraft(this.#step, at, isOver ? 'done' : stateOfStep(this.#step, state));
    this.#unfinished = isOver ? undefined : (this.#step ?? this.#unfinished);
    this.#step = undefined;
  }

  enterStep(node: string, step: number, at: number, rows: readonly number[]): void {
    const life = this.#openLife(at);
    const before = this.#step;
    if (before === undefined && at > cursorOf(life)) this.#addStart(life, at);
    if (before !== undefined) {
      if (isNamed(before, 'execute') && node !== 'human') this.pending.showNotMade(before, at);
      closeDraft(before, at, 'done');
    }
    const facts = { kind: 'step', node, step, continued: false } as const;
    this.#step = addPart(life, facts, { startMs: at, endMs: at, state: 'open', rows });
  }

  /** The step in which things happen now; made where the log names none. */
  step(at: number): Draft {
    if (this.#step !== undefined) return this.#step;
    const life = this.#openLife(at);
    const facts = this.#unfinished?.facts;
    this.#step =
      facts?.kind === 'step'
        ? addPart(life, { ...facts, continued: true }, { startMs: life.startMs, endMs: at, state: 'open' })
        : this.#addStart(life, at);
    return this.#step;
  }

  /** Where a part belongs that no process of the run need have written, such as an apply: a gap before it is shown. */
  outside(at: number, gap?: GapReason): Draft {
    if (this.#life !== undefined || this.#run === undefined) return this.step(at);
    this.#gapUntil(this.#run, at, gap ?? this.#gapReason);
    return this.#run;
  }

  /** What is said at the end of a life, beside its steps. */
  addToLife(facts: TraceFacts, at: number, state: TraceState, rows: readonly number[]): void {
    const life = this.#openLife(at);
    addPart(life, facts, { startMs: at, endMs: at, state, rows });
  }

  /** The run, when it has ended for good. */
  get over(): Draft | undefined {
    const isOver = this.#life === undefined && (this.#run?.state === 'done' || this.#run?.state === 'failed');
    return isOver ? this.#run : undefined;
  }

  /** A person has answered while no process ran: what follows is no waiting for a person any more. */
  answered(): void {
    if (this.#life !== undefined || this.#run === undefined) return;
    this.#gapReason = 'idle';
    if (this.#run.state === 'waiting') this.#run.state = 'cut-off';
  }

  /** Ends everything; `isDriven` says whether a process is at work now. */
  end(lastAt: number, now: number, isDriven: boolean): Draft {
    if (this.#life !== undefined) {
      if (isDriven) this.endLife(now, 'open', 'idle');
      else this.endLife(lastAt, 'cut-off', 'crash');
    }
    if (this.#run !== undefined && !isDriven && this.#gapReason !== 'idle') {
      this.#gapUntil(this.#run, now, this.#gapReason);
    }
    this.#closeRun(this.#run?.endMs ?? lastAt);
    closeDraft(this.session, this.session.endMs, this.#run?.state ?? 'done');
    return this.session;
  }

  #openLife(at: number): Draft {
    if (this.#life === undefined) this.beginLife(this.#lives + 1, at, []);
    return this.#life ?? this.session;
  }

  #closeRun(at: number): void {
    this.endLife(at, 'cut-off', 'crash');
    const run = this.#run;
    if (run !== undefined) this.session.endMs = Math.max(this.session.endMs, run.endMs);
  }

  #addStart(life: Draft, at: number): Draft {
    const facts = { kind: 'step', node: 'start', step: null, continued: false } as const;
    return addPart(life, facts, { startMs: life.startMs, endMs: at });
  }

  #gapUntil(parent: Draft, at: number, reason: GapReason): void {
    const from = cursorOf(parent);
    if (at > from) addPart(parent, { kind: 'gap', reason }, { startMs: from, endMs: at, state: 'waiting' });
  }
}

function isNamed({ facts }: Draft, node: string): boolean {
  return facts.kind === 'step' && facts.node === node;
}

/** A step that waits for a person waits, whatever became of its process. */
function stateOfStep(step: Draft, state: TraceState): TraceState {
  return isNamed(step, 'human') && state === 'cut-off' ? 'waiting' : state;
}
