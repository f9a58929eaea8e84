import type { Node, Patch, RunContext } from './node.ts';
import { usageOf } from './run-log.ts';
import type { NodeName, RunState } from './run-state.ts';

/**
 * Runs a node as a step of its own: tells the log that it was entered, counts the step, and keeps what was used. A node
 * that waits for a human goes on under the ids of its first run, so that its calls are the ones that were approved.
 */
export function enterNode(name: NodeName, node: Node, context: RunContext): (state: RunState) => Promise<Patch> {
  const { clock } = context.deps;
  return async (state) => {
    context.deps.signal?.throwIfAborted();
    const { step } = state;
    await context.log.append(`${context.input.runId}:${step}:enter`, { type: 'node-enter', node: name, step });
    const at = name === 'human' ? step : (state.redo ?? step);
    const begin = clock.steady();
    // A checkpoint of an earlier version does not say what was spent.
    const before = state.spent ?? 0;
    const patch = await node(state, {
      ...context,
      at,
      deadline: begin + context.input.task.budget.milliseconds - before,
    });
    const waits = patch.next === 'human';
    return {
      ...patch,
      step: step + 1,
      redo: name === 'human' ? state.redo : waits ? at : null,
      spent: before + clock.steady() - begin,
      used: usageOf(await context.log.rows()),
    };
  };
}
