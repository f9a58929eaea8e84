import { endWith, type Node } from '../node.ts';
import { planRepair } from '../planners/plan-repair.ts';
import { planWithModel } from '../planners/plan-with-model.ts';
import { budgetEnding, spentBudget } from '../spent-budget.ts';

/** Decides the next calls, or that it is time to verify. Every turn begins here, so all budgets end it here. */
export const plan: Node = async (state, context) => {
  const { task } = context.input;
  const spent = spentBudget(state, context);
  if (spent !== undefined) return endWith(budgetEnding(spent));
  return task.planner === 'model' ? planWithModel(state, context) : planRepair(state, context);
};
