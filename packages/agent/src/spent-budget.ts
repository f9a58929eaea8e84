import type { Budget } from '@capstan/contracts';
import type { RunState } from './run-state.ts';

/** Which cap is reached, in words, or undefined while there is room for another turn. */
export function spentBudget(state: RunState, budget: Budget, now: number): string | undefined {
  const { used, step, startedAt } = state;
  const tokens = used.promptTokens + used.completionTokens;
  if (step >= budget.steps) return `${budget.steps} steps`;
  if (used.modelRequests >= budget.modelRequests) return `${budget.modelRequests} model requests`;
  if (tokens >= budget.tokens) return `${budget.tokens} tokens (${tokens} used)`;
  if (now - startedAt >= budget.milliseconds) return `${budget.milliseconds} ms`;
  return undefined;
}
