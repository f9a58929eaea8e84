import type { Draft } from './draft.ts';
import type { TraceNode } from './trace-node.ts';

/** A tenth of all the work: less is not worth pointing at. */
const leastShare = 0.1;
const mostMarked = 3;

interface Times {
  readonly workMs: number;
  readonly waitMs: number;
  readonly idleMs: number;
}

/** The finished tree: what of each part was work, waiting or nothing, its share of all the work, and what took most. */
export function measureTrace(root: Draft): TraceNode {
  const times = new Map<Draft, Times>();
  const total = measure(root, times).workMs;
  const leaves = [...times].filter(([draft]) => draft.children.length === 0);
  const slowest = leaves
    .filter(([, { workMs }]) => workMs > 0 && workMs >= total * leastShare)
    .sort(([, first], [, second]) => second.workMs - first.workMs)
    .slice(0, mostMarked)
    .map(([draft]) => draft);
  return finish(root, { times, total, slowest: new Set(slowest) });
}

function measure(draft: Draft, times: Map<Draft, Times>): Times {
  const parts = draft.children.map((child) => measure(child, times));
  const sum = (name: keyof Times) => parts.reduce((whole, part) => whole + part[name], 0);
  const ofParts = draft.children.reduce((whole, child) => whole + child.endMs - child.startMs, 0);
  const own = draft.endMs - draft.startMs - ofParts;
  const kind = kindOfOwnTime(draft);
  const measured = {
    workMs: sum('workMs') + (kind === 'work' ? own : 0),
    waitMs: sum('waitMs') + (kind === 'wait' ? own : 0),
    idleMs: sum('idleMs') + (kind === 'idle' ? own : 0),
  };
  times.set(draft, measured);
  return measured;
}

function kindOfOwnTime({ facts }: Draft): 'work' | 'wait' | 'idle' {
  switch (facts.kind) {
    case 'approval':
      return 'wait';
    case 'gap':
      return facts.reason === 'person' ? 'wait' : 'idle';
    case 'session':
    case 'run':
      return 'idle';
    default:
      return 'work';
  }
}

interface Measured {
  readonly times: ReadonlyMap<Draft, Times>;
  readonly total: number;
  readonly slowest: ReadonlySet<Draft>;
}

function finish(draft: Draft, measured: Measured): TraceNode {
  const { workMs, waitMs, idleMs } = measured.times.get(draft) ?? { workMs: 0, waitMs: 0, idleMs: 0 };
  const { facts, startMs, endMs, state, rows } = draft;
  return {
    ...facts,
    startMs,
    endMs,
    durationMs: endMs - startMs,
    workMs,
    waitMs,
    idleMs,
    share: measured.total === 0 ? 0 : workMs / measured.total,
    slowest: measured.slowest.has(draft),
    state,
    rows,
    children: draft.children.map((child) => finish(child, measured)),
  };
}
