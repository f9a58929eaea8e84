import { enterNode } from './enter-node.ts';
import { Annotation, type BaseCheckpointSaver, END, START, StateGraph } from './langgraph.ts';
import type { RunContext } from './node.ts';
import { done } from './nodes/done.ts';
import { execute } from './nodes/execute.ts';
import { human } from './nodes/human.ts';
import { plan } from './nodes/plan.ts';
import { reflect } from './nodes/reflect.ts';
import { understand } from './nodes/understand.ts';
import { verify } from './nodes/verify.ts';
import { RunState } from './run-state.ts';

const keys = Object.keys(RunState.shape) as (keyof RunState)[];
const channels = Object.fromEntries(keys.map((key) => [key, Annotation()])) as {
  [Key in keyof RunState]: ReturnType<typeof Annotation<RunState[Key]>>;
};
const next = (state: RunState) => state.next;

/** The whole agent. Each node names its successor in `next`; the edges say which ones are possible. */
export function buildGraph(context: RunContext, checkpointer: BaseCheckpointSaver) {
  return new StateGraph(Annotation.Root(channels))
    .addNode('understand', enterNode('understand', understand, context))
    .addNode('plan', enterNode('plan', plan, context))
    .addNode('execute', enterNode('execute', execute, context))
    .addNode('verify', enterNode('verify', verify, context))
    .addNode('reflect', enterNode('reflect', reflect, context))
    .addNode('human', enterNode('human', human, context))
    .addNode('done', enterNode('done', done, context))
    .addEdge(START, 'understand')
    .addConditionalEdges('understand', next, ['plan', 'human', 'done'])
    .addConditionalEdges('plan', next, ['plan', 'execute', 'verify', 'done'])
    .addConditionalEdges('execute', next, ['plan', 'human', 'done'])
    .addConditionalEdges('verify', next, ['reflect', 'human', 'done'])
    .addConditionalEdges('reflect', next, ['plan', 'human', 'done'])
    .addConditionalEdges('human', next, ['understand', 'plan', 'execute', 'verify', 'done'])
    .addEdge('done', END)
    .compile({ checkpointer });
}
