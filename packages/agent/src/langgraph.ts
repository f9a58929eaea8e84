import {
  Annotation,
  type BaseCheckpointSaver,
  Command,
  END,
  type Interrupt,
  interrupt,
  START,
  StateGraph,
} from '@langchain/langgraph';

export { Annotation, END, interrupt, START, StateGraph };

/** A question in a checkpoint, under the id by which it is answered. */
interface PendingInterrupt<Question> {
  readonly id: string;
  readonly question: Question;
}

/** Where a thread stands after it was driven: at its end, or at questions. */
type ThreadOutcome<State, Question> =
  | { readonly kind: 'ended'; readonly state: State }
  | { readonly kind: 'waiting'; readonly state: State; readonly interrupts: readonly PendingInterrupt<Question>[] };

interface DrivableGraph {
  invoke(input: never, config: object): Promise<unknown>;
  getState(config: object): Promise<{
    values: unknown;
    tasks: readonly { interrupts: readonly Interrupt[]; result?: unknown }[];
  }>;
}

/**
 * Starts a thread, or goes on from its last checkpoint. Questions are answered by id, each by what `decide` says about
 * it; those without an answer stay pending, and nothing runs when none has one. Checkpoints are written before the next
 * node begins. Rejects with whatever a node threw; the thread can then be driven again.
 */
export async function driveThread<State, Question>(options: {
  graph: DrivableGraph;
  threadId: string;
  recursionLimit: number;
  initial: State;
  decide: (question: Question) => Promise<unknown>;
}): Promise<ThreadOutcome<State, Question>> {
  const { graph, threadId, recursionLimit } = options;
  const config = {
    configurable: { thread_id: threadId, __pregel_strict_resume: true },
    durability: 'sync' as const,
    recursionLimit,
  };
  const standing = async () => readStanding<State, Question>(await graph.getState(config));
  const before = await standing();
  const input = await nextInput(before, options);
  if (input !== undefined) await graph.invoke(input as never, config);
  const after = input === undefined ? before : await standing();
  const { state, interrupts } = after;
  return interrupts.length > 0 ? { kind: 'waiting', state, interrupts } : { kind: 'ended', state };
}

interface Standing<State, Question> {
  readonly state: State;
  readonly phase: 'new' | 'running' | 'ended';
  readonly interrupts: readonly PendingInterrupt<Question>[];
}

function readStanding<State, Question>(
  snapshot: Awaited<ReturnType<DrivableGraph['getState']>>,
): Standing<State, Question> {
  const values = snapshot.values as State & object;
  const isNew = snapshot.tasks.length === 0 && Object.keys(values).length === 0;
  // A node that went on beside one that still waits keeps the question that it had.
  const open = snapshot.tasks.filter((task) => task.result === undefined);
  const interrupts = open.flatMap((task) =>
    task.interrupts.flatMap(({ id, value }) => (id === undefined ? [] : [{ id, question: value as Question }])),
  );
  // Not by `next`: it is empty too when a node threw after its question had been answered.
  const phase = isNew ? 'new' : snapshot.tasks.length === 0 ? 'ended' : 'running';
  return { state: values, phase, interrupts };
}

/** What to invoke the graph with; undefined when there is nothing to do. */
async function nextInput<State, Question>(
  { phase, interrupts }: Standing<State, Question>,
  { initial, decide }: { initial: State; decide: (question: Question) => Promise<unknown> },
): Promise<unknown> {
  if (phase === 'ended') return undefined;
  if (phase === 'new') return initial;
  if (interrupts.length === 0) return null;
  const answers: Record<string, unknown> = {};
  for (const { id, question } of interrupts) {
    const answer = await decide(question);
    if (answer !== undefined) answers[id] = answer;
  }
  return Object.keys(answers).length > 0 ? new Command({ resume: answers }) : undefined;
}

export type { BaseCheckpointSaver };
