import { failWith } from './ending.ts';
import type { NodeContext } from './node.ts';
import type { Ending, RunState } from './run-state.ts';

/** Which cap is reached, in words, or undefined while there is room for another turn. */
export function spentBudget({ used, step }: RunState, context: NodeContext): string | undefined {
  const { budget } = context.input.task;
  const tokens = used.promptTokens + used.completionTokens;
  if (step >= budget.steps) return `${budget.steps} steps`;
  if (used.modelRequests >= budget.modelRequests) return `${budget.modelRequests} model requests`;
  if (tokens >= budget.tokens) return `${budget.tokens} tokens (${tokens} used)`;
  return spentTime(context);
}

/** The cap that can be reached between two calls of one answer: calls take time, and nothing else of the budget. */
export function spentTime({ deps, input, deadline }: NodeContext): string | undefined {
  return deps.clock.steady() >= deadline ? `${input.task.budget.milliseconds} ms` : undefined;
}

/** The ending of a run whose budget is spent; `cap` says in words what was reached. */
export function budgetEnding(cap: string): Ending {
  const hint = 'Raise the budget, or ask for less at once.';
  return failWith('budget-spent', `The budget of this run is spent: ${cap}.`, hint);
}
